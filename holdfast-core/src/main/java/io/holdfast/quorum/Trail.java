package io.holdfast.quorum;

import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
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

    private static final byte NOT_SENT = 1;
    private static final byte LANDED_LATER = 2;

    private final Moment begun;
    private final byte[] nodes;
    /** What has not been answered yet; null once everything has. */
    private @Nullable CompletableFuture<Reply> @Nullable [] open;

    private Trail(Moment begun, int nodes) {
        this.begun = begun;
        this.nodes = new byte[nodes];
    }

    /** That of a round which began then, and of which these are the replies, by node. */
    static Trail of(Moment begun, List<CompletableFuture<Reply>> replies) {
        Trail trail = new Trail(begun, replies.size());
        trail.follow(replies);
        return trail;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type cannot be made otherwise.
    private void follow(List<CompletableFuture<Reply>> replies) {
        @Nullable CompletableFuture<Reply>[] waiting = new CompletableFuture[nodes.length];
        synchronized (this) {
            open = waiting;
            for (int i = 0; i < nodes.length; i++) {
                waiting[i] = replies.get(i);
            }
        }
        for (int i = 0; i < nodes.length; i++) {
            int node = i;
            replies.get(i).thenAccept(reply -> answered(node, reply));
        }
    }

    private synchronized void answered(int node, Reply reply) {
        if (reply instanceof Reply.Failed failed && !failed.mayHaveLanded()) {
            nodes[node] |= NOT_SENT;
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
        nodes[node] |= LANDED_LATER;
    }

    /** Whether the node may have carried out the claim, or may still do so: also after a no, if the network sends it twice. */
    synchronized boolean mayHaveLanded(int node) {
        return nodes[node] != NOT_SENT;
    }
}
