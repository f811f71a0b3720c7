package io.holdfast.quorum;

import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt may have left on which node. That is all that has to be known of its round once that is over, for as long as its
 * lock is held: few bytes, since one process may hold very many.
 *
 * <p>Thread-safe.
 */
public final class Trail {

    private final Moment begun;
    /** Nodes that the claim did not reach in its round; null: none, as nearly always. */
    private @Nullable BitSet notReached;
    /** Nodes that it reached later; null: none. */
    private @Nullable BitSet reachedLater;
    /** What has not been answered yet; null once everything has. */
    private @Nullable CompletableFuture<Reply> @Nullable [] open;

    private Trail(Moment begun) {
        this.begun = begun;
    }

    /** That of a round which began then, and of which these are the replies, by node. */
    static Trail of(Moment begun, List<CompletableFuture<Reply>> replies) {
        Trail trail = new Trail(begun);
        trail.follow(replies);
        return trail;
    }

    /** That of an attempt of which nothing is known but that it may have reached every node. */
    static Trail anywhere(Moment begun) {
        return new Trail(begun);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type cannot be made otherwise.
    private void follow(List<CompletableFuture<Reply>> replies) {
        synchronized (this) {
            open = replies.toArray(new CompletableFuture[0]);
        }
        for (int i = 0; i < replies.size(); i++) {
            int node = i;
            replies.get(i).thenAccept(reply -> answered(node, reply));
        }
    }

    private synchronized void answered(int node, Reply reply) {
        if (reply instanceof Reply.Failed failed && !failed.mayHaveLanded()) {
            notReached = with(notReached, node);
        }
        @Nullable CompletableFuture<Reply>[] waiting = open;
        if (waiting != null) {
            waiting[node] = null;
            for (CompletableFuture<Reply> other : waiting) {
                if (other != null) {
                    return;
                }
            }
            open = null;
        }
    }

    /** The moment before the claim was sent. */
    Moment begun() {
        return begun;
    }

    /** What the node will still answer; null: it has answered. */
    synchronized @Nullable CompletableFuture<Reply> late(int node) {
        @Nullable CompletableFuture<Reply>[] waiting = open;
        return waiting == null ? null : waiting[node];
    }

    /** The node keeps, or may keep, something of the claim that came there later than in its round. */
    synchronized void landed(int node) {
        reachedLater = with(reachedLater, node);
    }

    /** Whether the node may have carried out the claim, or may still do so: also after a no, if the network sends it twice. */
    synchronized boolean mayHaveLanded(int node) {
        return notReached == null || !notReached.get(node) || (reachedLater != null && reachedLater.get(node));
    }

    private static BitSet with(@Nullable BitSet before, int node) {
        BitSet nodes = before == null ? new BitSet() : before;
        nodes.set(node);
        return nodes;
    }
}
