package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The floor of the fences that a node may have forgotten. Every fencing token was accepted by a majority Q of N nodes.
 * So among any N − Q + 1 nodes that have kept their memory, one knows that token or a greater one. Their greatest fence
 * is the floor: the returning node accepts only greater fences.
 *
 * @param nodes all nodes
 * @param strict whether a node stays out while too few other nodes are reachable. Otherwise the clock replaces the
 *     missing nodes: fences are microseconds of some client's wall clock, and none is above this client's clock and a
 *     margin. That requires clocks that differ by less than the margin, and by less than the time between two such
 *     losses, which is at least the quarantine
 */
record FenceFloor(List<LockNode> nodes, QuorumConfig config, String observer, boolean strict, Time time) {

    private static final Duration REPLY_LIMIT = Duration.ofSeconds(1);
    /** Half of the lead that nodes accept above their clocks, so that they accept fences above this floor. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    /**
     * The past that a node has forgotten, as other nodes know it.
     *
     * @param fence no fence that it has accepted is greater
     * @param agreed which clients the set accepts, by the last change that one of the other nodes knows
     */
    record Forgotten(FencingToken fence, NodeStanding.Agreed agreed) {}

    /**
     * Returns what a node has forgotten that has been observed long enough, or null if it cannot be known now. Never
     * fails.
     */
    CompletableFuture<@Nullable Forgotten> learn(LockNode returning) {
        QuarantineProbe probe = QuarantineProbe.readOnly(observer + ":floor", config);
        List<CompletableFuture<NodeStanding>> probes = nodes.stream()
                .filter(node -> !node.equals(returning))
                .map(node -> node.probe(probe).toCompletableFuture())
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(probes.toArray(CompletableFuture<?>[]::new));
        Time.Timer timer = time.schedule(REPLY_LIMIT, () -> all.complete(null));
        return all.handle((done, failure) -> {
            timer.cancel();
            return forgotten(probes);
        });
    }

    private @Nullable Forgotten forgotten(List<CompletableFuture<NodeStanding>> probes) {
        NodeStanding unknown = new NodeStanding.Unknown("no answer yet");
        List<NodeStanding> standings = probes.stream()
                .map(probe -> probe.isCompletedExceptionally() ? unknown : probe.getNow(unknown))
                .toList();
        if (standings.stream().anyMatch(FenceFloor::isRejection)) {
            return null;
        }
        List<NodeStanding.Admitted> known = standings.stream()
                .filter(NodeStanding.Admitted.class::isInstance)
                .map(NodeStanding.Admitted.class::cast)
                .toList();
        FencingToken greatest =
                known.stream().map(NodeStanding.Admitted::fenceBound).reduce(FencingToken.NONE, FencingToken::max);
        NodeStanding.Agreed agreed = lastOf(known);
        int majority = Majority.of(config.nodes());
        if (known.size() >= config.nodes() - majority + 1) {
            return new Forgotten(greatest, agreed);
        }
        return strict ? null : new Forgotten(greatest.max(clock()), agreed);
    }

    /** Of two administrators who have changed one node each at the same time, the one counts who has closed it. */
    private static NodeStanding.Agreed lastOf(List<NodeStanding.Admitted> known) {
        return known.stream()
                .map(NodeStanding.Admitted::agreed)
                .max(Comparator.comparingLong((NodeStanding.Agreed agreed) -> agreed.number())
                        .thenComparing(NodeStanding.Agreed::closed))
                .orElse(NodeStanding.Agreed.NEVER);
    }

    /** A client that another node rejects would let this one accept what the set does not. */
    private static boolean isRejection(NodeStanding standing) {
        return standing instanceof NodeStanding.Unknown other && other.isRejection();
    }

    private FencingToken clock() {
        return new FencingToken(time.now().wallMicros() + CLOCK_MARGIN.toNanos() / 1_000);
    }
}
