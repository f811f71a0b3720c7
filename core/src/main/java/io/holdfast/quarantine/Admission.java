package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.time.ThreadWait;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The admission of nodes by an administrator's statement that they have never held a lock. */
public final class Admission {

    private Admission() {}

    /**
     * Admits all nodes with a floor above every fence that any of them knows. Returns their answers, in the order of
     * the nodes. If one of them votes already, or belongs to another set, the nodes have been in use. Those in
     * quarantine are not admitted then: they may have forgotten locks that the other nodes still have. Nor is a node
     * whose standing is not known: it may be in quarantine. One that accepts only clients of two sets rejects the
     * admission by a client of one: the other set may accept clients of it alone.
     *
     * @param guarded whether this client respects quarantines; else each node that answers votes for it, and only a
     *     node of another set is changed: an admission would overwrite the state that clients with quarantines rely on
     * @param probe sends a probe to a node, and limits the time to its answer
     */
    public static CompletableFuture<List<NodeStanding>> of(
            List<LockNode> nodes,
            QuorumConfig config,
            boolean guarded,
            String admin,
            BiFunction<LockNode, QuarantineProbe, CompletableFuture<NodeStanding>> probe) {
        QuarantineProbe reading = QuarantineProbe.readOnly(admin, config);
        List<CompletableFuture<NodeStanding>> standings =
                nodes.stream().map(node -> probe.apply(node, reading)).toList();
        return all(standings).thenCompose(known -> {
            FencingToken greatest = SetMemory.greatestFence(SetMemory.admitted(known));
            boolean inUse = known.stream().anyMatch(Admission::isInUse);
            QuarantineProbe admission = QuarantineProbe.admission(admin, greatest, config);
            return all(IntStream.range(0, nodes.size())
                    .mapToObj(i -> isBarred(known.get(i), inUse, guarded)
                            ? CompletableFuture.completedFuture(known.get(i))
                            : probe.apply(nodes.get(i), admission))
                    .toList());
        });
    }

    /** Returns whether the node votes for clients of this set or another one, as far as it has answered. */
    public static boolean isInUse(NodeStanding standing) {
        return standing instanceof NodeStanding.Admitted
                || (standing instanceof NodeStanding.Unknown unknown && unknown.isRejection());
    }

    private static boolean isBarred(NodeStanding standing, boolean inUse, boolean guarded) {
        return standing instanceof NodeStanding.Unknown unknown
                ? !unknown.isRejection()
                : !guarded || (inUse && standing instanceof NodeStanding.Quarantined);
    }

    private static CompletableFuture<List<NodeStanding>> all(List<CompletableFuture<NodeStanding>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(ThreadWait::resultOf).toList());
    }
}
