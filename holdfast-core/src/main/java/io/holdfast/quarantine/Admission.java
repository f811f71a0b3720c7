package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The admission of nodes by an administrator's statement that they have never held a lock. */
public final class Admission {

    private Admission() {}

    /**
     * Admits all nodes with a floor above every fence that any of them knows. Returns their answers, in the order of
     * the nodes. If one of them votes already, or belongs to another set, the nodes have been in use. Those in quarantine
     * are not admitted then: they may have forgotten locks that the other nodes still have.
     */
    public static CompletableFuture<List<NodeStanding>> of(List<LockNode> nodes, QuorumConfig config, String admin) {
        QuarantineProbe probe = QuarantineProbe.glance(admin, config);
        return probe(nodes, probe).thenCompose(known -> {
            FencingToken greatest = known.stream()
                    .filter(NodeStanding.Admitted.class::isInstance)
                    .map(admitted -> ((NodeStanding.Admitted) admitted).fenceBound())
                    .reduce(FencingToken.NONE, FencingToken::max);
            boolean inUse = known.stream().anyMatch(Admission::isInUse);
            QuarantineProbe admission = QuarantineProbe.admission(admin, greatest, config);
            return all(IntStream.range(0, nodes.size())
                    .mapToObj(i -> inUse && known.get(i) instanceof NodeStanding.Quarantined
                            ? CompletableFuture.completedFuture(known.get(i))
                            : nodes.get(i).probe(admission).toCompletableFuture())
                    .toList());
        });
    }

    private static boolean isInUse(NodeStanding standing) {
        return standing instanceof NodeStanding.Admitted
                || (standing instanceof NodeStanding.Unknown unknown && unknown.ofOtherSet());
    }

    private static CompletableFuture<List<NodeStanding>> probe(List<LockNode> nodes, QuarantineProbe probe) {
        return all(nodes.stream()
                .map(node -> node.probe(probe).toCompletableFuture())
                .toList());
    }

    private static CompletableFuture<List<NodeStanding>> all(List<CompletableFuture<NodeStanding>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
