package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An operator's word that servers have never held a lock, and so have nothing to forget. */
public final class Admission {

    private Admission() {}

    /** Admits all nodes at once, above every fence that any of them knows; what each says then, in their order. */
    public static CompletableFuture<List<NodeStanding>> of(List<LockNode> nodes, QuorumConfig config, String admin) {
        QuarantineProbe probe = QuarantineProbe.glance(admin, config);
        return probe(nodes, probe).thenCompose(known -> {
            FencingToken greatest = known.stream()
                    .filter(NodeStanding.Admitted.class::isInstance)
                    .map(admitted -> ((NodeStanding.Admitted) admitted).fenceBound())
                    .reduce(FencingToken.NONE, FencingToken::max);
            return probe(nodes, QuarantineProbe.admission(admin, greatest, config));
        });
    }

    private static CompletableFuture<List<NodeStanding>> probe(List<LockNode> nodes, QuarantineProbe probe) {
        List<CompletableFuture<NodeStanding>> answers = nodes.stream()
                .map(node -> node.probe(probe).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
