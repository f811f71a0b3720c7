package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.time.ThreadWait;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A record of the nodes on which an attempt may have left a lock. It is all that a hold keeps of the round that granted
 * it: few bytes, since one process may hold very many locks.
 *
 * <p>Thread-safe.
 */
public final class AttemptTrace {

    /** The nodes that the claim did not reach in its round; null: none, as nearly always. */
    private @Nullable BitSet notReached;
    /** By node, the greatest fence of a repair that was sent there; null: none was, as nearly always. */
    private long @Nullable [] repairs;
    /** Supplies a fence above the repairs of other processes for the attempt; null: there is no other process. */
    private @Nullable Supplier<FencingToken> aboveOtherProcesses;
    /** By node, the missing replies; null once all have arrived. */
    private @Nullable CompletableFuture<Reply> @Nullable [] missing;

    private AttemptTrace() {}

    /** Returns the trace of a round from its replies by node. */
    static AttemptTrace of(List<CompletableFuture<Reply>> replies) {
        AttemptTrace trace = new AttemptTrace();
        trace.follow(replies);
        return trace;
    }

    /**
     * Returns the trace of another process's attempt, which may have reached every node and may have sent repairs.
     *
     * @param aboveRepairs supplies a fence above all repairs that this client can know of
     */
    public static AttemptTrace ofOtherProcess(Supplier<FencingToken> aboveRepairs) {
        AttemptTrace trace = new AttemptTrace();
        trace.aboveOtherProcesses = aboveRepairs;
        return trace;
    }

    /** Adds the repairs of the lease that this attempt has released, and returns this trace. */
    public synchronized AttemptTrace withRepairsOf(AttemptTrace released) {
        synchronized (released) {
            long[] sent = released.repairs;
            repairs = sent == null ? null : sent.clone();
            aboveOtherProcesses = released.aboveOtherProcesses;
        }
        return this;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type cannot be made otherwise.
    private void follow(List<CompletableFuture<Reply>> replies) {
        synchronized (this) {
            missing = replies.toArray(new CompletableFuture[0]);
        }
        for (int i = 0; i < replies.size(); i++) {
            int node = i;
            CompletableFuture<Reply> reply = replies.get(i);
            if (reply.isDone() && !reply.isCompletedExceptionally()) {
                answered(node, ThreadWait.resultOf(reply));
            } else {
                reply.thenAccept(late -> answered(node, late));
            }
        }
    }

    private synchronized void answered(int node, Reply reply) {
        if (reply instanceof Reply.Failed failed && !failed.mayBeCarriedOut()) {
            notReached = with(notReached, node);
        }
        @Nullable CompletableFuture<Reply>[] left = missing;
        if (left != null) {
            left[node] = null;
            for (CompletableFuture<Reply> other : left) {
                if (other != null) {
                    return;
                }
            }
            missing = null;
        }
    }

    /** Returns the node's missing reply; null if it has arrived. */
    synchronized @Nullable CompletableFuture<Reply> late(int node) {
        @Nullable CompletableFuture<Reply>[] left = missing;
        return left == null ? null : left[node];
    }

    /**
     * Returns the fence to propose in a repair of the node. It is above both given fences, and above all that the
     * attempt has sent there. Recorded before the repair is sent, so that every later release covers it.
     *
     * @param greatest the greatest fence of the attempt
     * @param accepted the greatest fence that the node has accepted
     */
    public synchronized FencingToken proposeRepair(int node, FencingToken greatest, FencingToken accepted) {
        FencingToken proposed = repaired(node).max(greatest).max(accepted).nextEven();
        long[] before = repairs;
        long[] sent = before == null ? new long[node + 1] : Arrays.copyOf(before, Math.max(before.length, node + 1));
        sent[node] = proposed.value();
        repairs = sent;
        return proposed;
    }

    private FencingToken repaired(int node) {
        return repairs == null || node >= repairs.length ? FencingToken.NONE : new FencingToken(repairs[node]);
    }

    /** Returns a fence that no repair of the attempt at this node exceeds. */
    synchronized FencingToken greatestRepair(int node) {
        Supplier<FencingToken> others = aboveOtherProcesses;
        return others == null ? repaired(node) : repaired(node).max(others.get());
    }

    /**
     * Returns {@code true} if the node may have carried out the claim, or may still do so. That includes a node that
     * has refused the claim, since the network may deliver it twice.
     */
    synchronized boolean mayBeCarriedOut(int node) {
        return notReached == null || !notReached.get(node) || !repaired(node).equals(FencingToken.NONE);
    }

    private static BitSet with(@Nullable BitSet before, int node) {
        BitSet nodes = before == null ? new BitSet() : before;
        nodes.set(node);
        return nodes;
    }
}
