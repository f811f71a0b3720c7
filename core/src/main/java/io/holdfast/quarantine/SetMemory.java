package io.holdfast.quarantine;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAdmin.Agreement;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStanding.Admitted;
import io.holdfast.node.NodeStanding.Agreed;
import io.holdfast.node.NodeStanding.Unknown.Reason;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the other nodes of a set, for one that has forgotten or missed something. A majority Q of the N nodes
 * has accepted each fencing token, and has closed a set that is closed. So at least one of any N − Q + 1 other nodes
 * that have kept their memory has done so.
 *
 * <p>Their greatest fence is the floor: the returning node accepts only greater fences. It is open if N − Q + 1 of them
 * are, since they show that the set is not closed.
 *
 * @param nodes all nodes
 * @param strict whether a node stays out while too few other nodes are reachable. Otherwise the clock replaces the
 *     missing nodes: fences are microseconds of some client's wall clock, and none is above this client's clock and a
 *     margin. That requires clocks that differ by less than the margin, and by less than the time between two such
 *     losses, which is at least the quarantine
 */
record SetMemory(List<LockNode> nodes, QuorumConfig config, String observer, boolean strict, Time time) {

    private static final Duration REPLY_LIMIT = Duration.ofSeconds(1);
    /** Half of the lead that nodes accept above their clocks, so that they accept fences above this floor. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    /**
     * The past that a node has forgotten, as other nodes know it.
     *
     * @param fence no fence that it has accepted is greater
     * @param agreed which clients the set accepts, with the last mark that one of the other nodes knows; null: not
     *     known
     */
    record Forgotten(FencingToken fence, @Nullable Agreed agreed) {}

    /**
     * Returns what a node has forgotten that has been observed long enough, or null if it cannot be known now. Never
     * fails.
     */
    CompletableFuture<@Nullable Forgotten> learn(LockNode returning) {
        return standingsBeside(returning).thenApply(this::forgotten);
    }

    /**
     * Opens a node that has missed the step in which the others were opened, or has returned with an older state. The
     * node gets a mark before the others are asked. So an administrator who closes the set at the same time finds that
     * mark and does not count the node, or has closed a majority before, which the others show. The node accepts only
     * fences above theirs, as after that step.
     *
     * @param name a text that no mark had before
     * @return whether the node is open now; never fails
     */
    CompletionStage<Boolean> open(LockNode closed, String name) {
        NodeAdmin node = closed.admin();
        return othersOfOpenSet(closed)
                .thenCompose(others -> node.agreement())
                .thenCompose(own -> change(node, own.mark(), null, Agreed.renewed(own.mark(), name), FencingToken.NONE))
                .thenCompose(own -> othersOfOpenSet(closed)
                        .thenCompose(others -> change(
                                node,
                                own,
                                config.alone(),
                                Agreed.renewed(lastMark(others), name + ":open"),
                                greatestFence(others))))
                .handle((done, failure) -> failure == null);
    }

    /** Fails if the other nodes do not show that the set is open. */
    private CompletionStage<List<Admitted>> othersOfOpenSet(LockNode closed) {
        return standingsBeside(closed).thenApply(standings -> {
            if (!isOpen(standings)) {
                throw new IllegalStateException("not certainly open");
            }
            return admitted(standings);
        });
    }

    /** Fails if the mark has become another one. */
    private static CompletionStage<String> change(
            NodeAdmin node, String mark, @Nullable QuorumConfig next, String nextMark, FencingToken floor) {
        return node.agree(mark, new Agreement(next, nextMark, floor)).thenApply(now -> {
            if (!now.mark().equals(nextMark)) {
                throw new IllegalStateException("changed by another client");
            }
            return nextMark;
        });
    }

    static FencingToken greatestFence(List<Admitted> known) {
        return known.stream().map(Admitted::fenceBound).reduce(FencingToken.NONE, FencingToken::max);
    }

    /** Asks the other nodes, until all have answered or some have shown that the set is open. */
    private CompletableFuture<List<NodeStanding>> standingsBeside(LockNode one) {
        QuarantineProbe probe = QuarantineProbe.readOnly(observer + ":floor", config);
        List<CompletableFuture<NodeStanding>> probes = nodes.stream()
                .filter(node -> !node.equals(one))
                .map(node -> node.probe(probe).toCompletableFuture())
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(probes.toArray(CompletableFuture<?>[]::new));
        Time.Timer timer = time.schedule(REPLY_LIMIT, () -> all.complete(null));
        // Clients that open one node make each other start again, so a look must not wait for a node that hangs.
        probes.forEach(probed -> probed.thenRun(() -> {
            if (isOpen(received(probes))) {
                all.complete(null);
            }
        }));
        return all.handle((done, failure) -> {
            timer.cancel();
            return received(probes);
        });
    }

    private static List<NodeStanding> received(List<CompletableFuture<NodeStanding>> probes) {
        NodeStanding unknown = new NodeStanding.Unknown("no answer yet");
        return probes.stream()
                .map(answer -> answer.isCompletedExceptionally() ? unknown : answer.getNow(unknown))
                .toList();
    }

    private @Nullable Forgotten forgotten(List<NodeStanding> standings) {
        boolean isOpen = isOpen(standings);
        if (isRejected(standings, Reason.OTHER_SET) || (!isOpen && isRejected(standings, Reason.CLOSED_SET))) {
            // A client that the set rejects would let the returning node accept it.
            return null;
        }
        List<Admitted> known = admitted(standings);
        FencingToken greatest = greatestFence(known);
        boolean isClosed = known.stream().anyMatch(node -> node.agreed().closed());
        Agreed agreed = isOpen || isClosed ? new Agreed(!isOpen, lastMark(known)) : null;
        if (haveAllPast(known.size())) {
            return new Forgotten(greatest, agreed);
        }
        return strict ? null : new Forgotten(greatest.max(clock()), agreed);
    }

    static List<Admitted> admitted(List<NodeStanding> standings) {
        return standings.stream()
                .filter(Admitted.class::isInstance)
                .map(Admitted.class::cast)
                .toList();
    }

    /** Returns whether the set is certainly not closed. */
    private boolean isOpen(List<NodeStanding> standings) {
        return haveAllPast(admitted(standings).stream()
                .filter(node -> !node.agreed().closed())
                .count());
    }

    /** Returns whether each majority has a node in common with this number of other nodes. */
    private boolean haveAllPast(long count) {
        return count >= config.nodes() - Majority.of(config.nodes()) + 1;
    }

    private static boolean isRejected(List<NodeStanding> standings, Reason reason) {
        return standings.stream()
                .anyMatch(standing -> standing instanceof NodeStanding.Unknown other && other.reason() == reason);
    }

    private static String lastMark(List<Admitted> known) {
        return known.stream()
                .map(Admitted::agreed)
                .max(Comparator.comparingLong(Agreed::number))
                .map(Agreed::mark)
                .orElse("");
    }

    private FencingToken clock() {
        return new FencingToken(time.now().wallMicros() + CLOCK_MARGIN.toNanos() / 1_000);
    }
}
