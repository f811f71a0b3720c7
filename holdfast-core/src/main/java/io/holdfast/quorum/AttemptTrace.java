package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt may have left on which node. That is all that has to be known of its round once that is over, for as long as its
 * lock is held: few bytes, since one process may hold very many.
 *
 * <p>Thread-safe.
 */
public final class AttemptTrace {

    private final Moment begun;
    /** Nodes that the claim did not reach in its round; null: none, as nearly always. */
    private @Nullable BitSet notReached;
    /** By node, the greatest number of a repair that was sent there; null: none was, as nearly always. */
    private long @Nullable [] repairs;
    /** Numbers above all that other processes have sent for the attempt; null: there is no other process. */
    private @Nullable Supplier<FencingToken> elsewhere;
    /** What has not been answered yet; null once everything has. */
    private @Nullable CompletableFuture<Reply> @Nullable [] open;

    private AttemptTrace(Moment begun) {
        this.begun = begun;
    }

    /** That of a round which began then, and of which these are the replies, by node. */
    static AttemptTrace of(Moment begun, List<CompletableFuture<Reply>> replies) {
        AttemptTrace trace = new AttemptTrace(begun);
        trace.follow(replies);
        return trace;
    }

    /**
     * The trail of an attempt of another process, which may have reached every node, and which may have sent repairs.
     *
     * @param fresh a number above those of all repairs, as far as this client can know them
     */
    public static AttemptTrace anywhere(Moment begun, Supplier<FencingToken> fresh) {
        AttemptTrace trace = new AttemptTrace(begun);
        trace.elsewhere = fresh;
        return trace;
    }

    /** This trail, with the repairs of the lease that the same attempt gave up. */
    public synchronized AttemptTrace after(AttemptTrace given) {
        synchronized (given) {
            long[] sent = given.repairs;
            repairs = sent == null ? null : sent.clone();
            elsewhere = given.elsewhere;
        }
        return this;
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
    public Moment begun() {
        return begun;
    }

    /** What the node will still answer; null: it has answered. */
    synchronized @Nullable CompletableFuture<Reply> late(int node) {
        @Nullable CompletableFuture<Reply>[] waiting = open;
        return waiting == null ? null : waiting[node];
    }

    /**
     * A number for a repair at the node: above both others, and above all that the attempt has sent there. Recorded before it
     * is sent, so that every later release covers it.
     */
    public synchronized FencingToken propose(int node, FencingToken top, FencingToken accepted) {
        FencingToken proposed = repaired(node).max(top).max(accepted).nextEven();
        long[] before = repairs;
        long[] sent = before == null ? new long[node + 1] : Arrays.copyOf(before, Math.max(before.length, node + 1));
        sent[node] = proposed.value();
        repairs = sent;
        return proposed;
    }

    private FencingToken repaired(int node) {
        return repairs == null || node >= repairs.length ? FencingToken.NONE : new FencingToken(repairs[node]);
    }

    /** No repair of the attempt at this node has a number above this one. */
    synchronized FencingToken greatest(int node) {
        Supplier<FencingToken> others = elsewhere;
        return others == null ? repaired(node) : repaired(node).max(others.get());
    }

    /** Whether the node may have carried out the claim, or may still do so: also after a no, if the network sends it twice. */
    synchronized boolean mayHaveLanded(int node) {
        return notReached == null || !notReached.get(node) || !repaired(node).equals(FencingToken.NONE);
    }

    private static BitSet with(@Nullable BitSet before, int node) {
        BitSet nodes = before == null ? new BitSet() : before;
        nodes.set(node);
        return nodes;
    }
}
