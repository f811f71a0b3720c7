package io.holdfast.quorum;

import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.Watch;
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
record FenceFloor(List<LockNode> nodes, Fleet fleet, String watcher, boolean strict, Time time) {

    private static final Duration REPLY_LIMIT = Duration.ofSeconds(1);
    /** Half of what nodes accept above their clocks, so that they accept what lies above this floor. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    /** The floor for a node that has been watched long enough, or null if it cannot be known now. Never fails. */
    CompletableFuture<@Nullable FencingToken> learn(LockNode returning) {
        Watch look = Watch.glance(watcher + ":floor", fleet);
        List<CompletableFuture<Membership>> looks = nodes.stream()
                .filter(node -> !node.equals(returning))
                .map(node -> node.watch(look).toCompletableFuture())
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new));
        Time.Timer timer = time.schedule(REPLY_LIMIT, () -> all.complete(null));
        return all.handle((done, failure) -> {
            timer.cancel();
            return floor(looks);
        });
    }

    private @Nullable FencingToken floor(List<CompletableFuture<Membership>> looks) {
        Membership unknown = new Membership.Unknown("no answer yet");
        List<FencingToken> known = looks.stream()
                .map(look -> look.isCompletedExceptionally() ? unknown : look.getNow(unknown))
                .filter(Membership.Admitted.class::isInstance)
                .map(membership -> ((Membership.Admitted) membership).highest())
                .toList();
        FencingToken greatest = known.stream().reduce(FencingToken.NONE, FencingToken::orAbove);
        int majority = Tally.of(fleet.nodes()).majority();
        if (known.size() >= fleet.nodes() - majority + 1) {
            return greatest;
        }
        return strict ? null : greatest.orAbove(clock());
    }

    private FencingToken clock() {
        return new FencingToken(time.now().wallMicros() + CLOCK_MARGIN.toNanos() / 1_000);
    }
}
