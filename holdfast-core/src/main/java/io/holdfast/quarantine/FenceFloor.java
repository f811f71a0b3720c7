package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.quorum.Tally;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which fences a node may have forgotten. A token was accepted by a majority Q of N nodes, so among any N − Q + 1 other nodes that
 * have kept their memory there is one that knows it or a greater one: their greatest is a floor below which nothing is
 * accepted again.
 *
 * @param nodes all of them
 * @param strict whether a node stays out while fewer are reachable; otherwise the clock stands in for those that are missing:
 *     tokens are microseconds of some client's wall clock, and none is later than ours and a margin. That takes clocks which differ
 *     by less than the margin, and by less than the time between two such losses, which is never shorter than the quarantine
 */
record FenceFloor(List<LockNode> nodes, QuorumConfig config, String watcher, boolean strict, Time time) {

    private static final Duration REPLY_LIMIT = Duration.ofSeconds(1);
    /** Half of what nodes accept above their clocks, so that they accept what lies above this floor. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    /** The floor for a node that has been watched long enough, or null if it cannot be known now. Never fails. */
    CompletableFuture<@Nullable FencingToken> learn(LockNode returning) {
        QuarantineProbe probe = QuarantineProbe.glance(watcher + ":floor", config);
        List<CompletableFuture<NodeStanding>> looks = nodes.stream()
                .filter(node -> !node.equals(returning))
                .map(node -> node.probe(probe).toCompletableFuture())
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new));
        Time.Timer timer = time.schedule(REPLY_LIMIT, () -> all.complete(null));
        return all.handle((done, failure) -> {
            timer.cancel();
            return floor(looks);
        });
    }

    private @Nullable FencingToken floor(List<CompletableFuture<NodeStanding>> looks) {
        NodeStanding unknown = new NodeStanding.Unknown("no answer yet");
        List<FencingToken> known = looks.stream()
                .map(probe -> probe.isCompletedExceptionally() ? unknown : probe.getNow(unknown))
                .filter(NodeStanding.Admitted.class::isInstance)
                .map(standing -> ((NodeStanding.Admitted) standing).fenceBound())
                .toList();
        FencingToken greatest = known.stream().reduce(FencingToken.NONE, FencingToken::max);
        int majority = Tally.of(config.nodes()).majority();
        if (known.size() >= config.nodes() - majority + 1) {
            return greatest;
        }
        return strict ? null : greatest.max(clock());
    }

    private FencingToken clock() {
        return new FencingToken(time.now().wallMicros() + CLOCK_MARGIN.toNanos() / 1_000);
    }
}
