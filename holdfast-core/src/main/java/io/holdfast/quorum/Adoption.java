package io.holdfast.quorum;

import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.Watch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An operator's word that servers have never held a lock, and so have nothing to forget. */
public final class Adoption {

    private Adoption() {}

    /** Admits all nodes at once, above every fence that any of them knows; what each says then, in their order. */
    public static CompletableFuture<List<Membership>> of(List<LockNode> nodes, Fleet fleet, String operator) {
        Watch look = Watch.glance(operator, fleet);
        return watch(nodes, look).thenCompose(known -> {
            FencingToken greatest = known.stream()
                    .filter(Membership.Admitted.class::isInstance)
                    .map(admitted -> ((Membership.Admitted) admitted).highest())
                    .reduce(FencingToken.NONE, FencingToken::orAbove);
            return watch(nodes, Watch.adoption(operator, greatest, fleet));
        });
    }

    private static CompletableFuture<List<Membership>> watch(List<LockNode> nodes, Watch watch) {
        List<CompletableFuture<Membership>> answers = nodes.stream()
                .map(node -> node.watch(watch).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
