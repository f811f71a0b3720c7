package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.event.LockEvent;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quarantine.QuarantineEvent;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that forget, and how long they stay out. */
class QuarantineTest {

    private static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration QUARANTINE = Duration.ofSeconds(66);
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().maxLease(MAX_LEASE).build();
    private static final LockOptions LONG =
            LockOptions.builder().lease(MAX_LEASE).renewal(false).build();
    private static final LockOptions ONCE =
            LONG.toBuilder().waitLimit(Duration.ZERO).build();

    private final VirtualTime time = new VirtualTime();
    private List<UnreliableNode> nodes = nodes(3);

    @Test
    void connect_newNodes_voteWhenTheyHaveBeenWatchedForTheLongestLease() {
        nodes = unadopted(3);
        Holdfast client = client(OPTIONS);
        time.advance(QUARANTINE.minusSeconds(1));
        assertThat(votes(client)).allMatch(vote -> vote.reply() instanceof Reply.Quarantined);

        time.advance(Duration.ofSeconds(3));

        assertThat(granted(client, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void acquire_nodesInQuarantine_waitsForThemWithinTheCallersPatience() {
        nodes = unadopted(3);
        CompletableFuture<Lease> lease = acquire(
                client(OPTIONS),
                "a",
                LONG.toBuilder()
                        .waitLimit(Duration.ofMinutes(5))
                        .unreachableLimit(Duration.ofSeconds(1))
                        .build());

        time.advance(QUARANTINE.plusSeconds(2));

        assertThat(lease).isCompletedWithValueMatching(granted -> granted.state() == LeaseState.HELD);
    }

    /** A holds on nodes 0 and 1; node 1 forgets; without the quarantine B would get 1 and 2. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_nodeForgotALease_nobodyElseGetsItBeforeItsEnd(boolean keepsSnapshot) {
        Holdfast client = client(OPTIONS);
        Lease held = heldOnNodes0And1(client);
        nodes.get(1).node().restart(keepsSnapshot);
        Holdfast rival = client(OPTIONS);

        CompletableFuture<Lease> stolen = acquire(
                rival, "a", LONG.toBuilder().waitLimit(LockOptions.FOREVER).build());
        time.advance(held.remaining().minusMillis(1));

        assertThat(stolen).isNotDone();
        time.advance(QUARANTINE);
        assertThat(stolen)
                .isCompletedWithValueMatching(lease -> lease.fencingToken().isAbove(held.fencingToken()));
    }

    /** The same without the safeguard: the violation that it prevents. */
    @Test
    void acquire_nodeForgotALeaseAndVotesAtOnce_twoHold() {
        nodes = UnreliableNode.several(3, time);
        HoldfastOptions atOnce =
                OPTIONS.toBuilder().restarts(RestartPolicy.UNSAFE_IMMEDIATE).build();
        Lease held = heldOnNodes0And1(client(atOnce));
        nodes.get(1).node().restart(false);

        CompletableFuture<Lease> second = acquire(client(atOnce), "a", ONCE);
        time.settle();

        assertThat(second).isCompletedWithValueMatching(lease -> lease.state() == LeaseState.HELD);
        assertThat(held.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void watch_nobodyConnected_doesNotCount() {
        nodes = unadopted(1);
        Holdfast first =
                client(OPTIONS.toBuilder().restarts(RestartPolicy.QUARANTINE).build());
        time.advance(Duration.ofSeconds(10));
        first.close();
        time.advance(Duration.ofHours(1));

        Holdfast second =
                client(OPTIONS.toBuilder().restarts(RestartPolicy.QUARANTINE).build());
        time.advance(QUARANTINE.minusSeconds(12));
        assertThat(votes(second)).hasSize(1);
        time.advance(Duration.ofSeconds(4));
        assertThat(granted(second, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    /** Many at once watch no faster than one. */
    @Test
    void watch_severalClients_countNoMomentTwice() {
        nodes = unadopted(3);
        Holdfast first = client(OPTIONS);
        IntStream.range(0, 5).forEach(i -> client(OPTIONS));
        time.advance(QUARANTINE.minusSeconds(1));

        assertThat(votes(first)).allMatch(vote -> vote.reply() instanceof Reply.Quarantined);
    }

    @Test
    void watch_severalClients_countEveryMomentOnce() {
        nodes = unadopted(3);
        Holdfast first = client(OPTIONS);
        IntStream.range(0, 5).forEach(i -> client(OPTIONS));
        time.advance(QUARANTINE.plusSeconds(2));

        assertThat(granted(first, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void watch_watcherIsGone_anotherTakesOver() {
        nodes = unadopted(3);
        client(OPTIONS).close();
        Holdfast second = client(OPTIONS);
        time.advance(QUARANTINE.plusSeconds(2));

        assertThat(granted(second, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void watch_theTimeBeforeAnotherTookOver_isNotCounted() {
        InMemoryNode node = InMemoryNode.guarded("a", time);
        watch(node, "me", false, Duration.ZERO);
        watch(node, "other", true, Duration.ZERO);

        assertThat(watch(node, "me", true, Duration.ofSeconds(30)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ZERO, true));
        assertThat(watch(node, "me", true, Duration.ofSeconds(2)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(2), true));
        assertThat(watch(node, "other", false, Duration.ofSeconds(2)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(2), false));
    }

    @Test
    void watch_machineSuspended_countsTheMonotonicClockAlone() {
        nodes = unadopted(3);
        Holdfast client = client(OPTIONS);
        time.advance(Duration.ofSeconds(1));
        time.stepWallClock(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(10));

        assertThat(votes(client)).allMatch(vote -> vote.reply() instanceof Reply.Quarantined);
    }

    @Test
    void flush_aNodeInUse_isAForgottenNode() {
        Holdfast client = client(OPTIONS);
        nodes.get(0).node().flush();

        assertThat(client.lock("a", ONCE)).isNotNull();
        CompletableFuture<Lease> lease = acquire(client, "a", ONCE);
        time.settle();

        assertThat(lease).isCompletedWithValueMatching(granted -> granted.state() == LeaseState.HELD);
        assertThat(nodes.get(0).ownerOf("a")).isNull();
    }

    /** A far token was accepted by nodes 0 and 1; once both have forgotten it, nobody else knows it. */
    @Test
    void fences_twoOfThreeForget_theClockStandsIn() {
        Holdfast client = client(OPTIONS);
        Lease before = heldOnNodes0And1(client);
        before.releaseAsync();
        nodes.get(0).node().restart(false);
        nodes.get(1).node().restart(false);
        time.stepWallClock(Duration.ofSeconds(-5));
        Holdfast late = client(OPTIONS);
        time.advance(QUARANTINE.plusSeconds(8));

        CompletableFuture<Lease> after = acquire(late, "a", LONG);
        time.advance(Duration.ofSeconds(1));

        assertThat(after)
                .isCompletedWithValueMatching(lease -> lease.fencingToken().isAbove(before.fencingToken()));
    }

    @Test
    void fences_twoOfThreeForgetAndStrict_theyStayOut() {
        HoldfastOptions strict = OPTIONS.toBuilder().strictFences(true).build();
        Holdfast client = client(strict);
        nodes.get(0).node().restart(false);
        nodes.get(1).node().restart(false);

        time.advance(QUARANTINE.multipliedBy(3));

        assertThat(votes(client)).hasSizeGreaterThan(1);
    }

    /** The clock of the client that took the token was an hour ahead; the restarted node learns it from the others. */
    @Test
    void fences_oneOfThreeForgets_learnsThemFromTheOthers() {
        time.stepWallClock(Duration.ofHours(1));
        Holdfast client = client(OPTIONS);
        Lease before = granted(client, ONCE);
        time.stepWallClock(Duration.ofHours(-1));
        nodes.get(2).node().restart(false);
        time.advance(QUARANTINE.plusSeconds(8));

        NodeStanding member = watch(nodes.get(2).node(), "look", false, Duration.ZERO);

        assertThat(member)
                .isInstanceOfSatisfying(
                        NodeStanding.Admitted.class,
                        admitted -> assertThat(before.fencingToken().isAbove(admitted.highest()))
                                .isFalse());
    }

    @Test
    void onEvent_quarantineBeginsAndEnds_eachIsReportedOnce() {
        Holdfast client = client(OPTIONS);
        time.advance(Duration.ofSeconds(1));
        List<LockEvent> news = new ArrayList<>();
        client.onEvent(news::add);
        time.settle();
        news.clear();

        nodes.get(1).node().restart(false);
        time.advance(QUARANTINE.plusSeconds(10));

        assertThat(news)
                .containsExactly(
                        new LockEvent.NodeQuarantined("node-b", QUARANTINE), new LockEvent.NodeVoting("node-b"));
    }

    @Test
    void sentence_severalNodes_saysWhatForHowLongAndWhatEndsIt() {
        assertThat(ClientLog.sentence(List.of(
                        new QuarantineEvent("b", QUARANTINE), new QuarantineEvent("a", Duration.ofMillis(100)))))
                .isEqualTo(
                        "a, b were restarted, or never used before, and may have forgotten which locks are held: no vote for"
                                + " 66 s; `holdfast admit` ends the quarantine of servers that never held a lock");
    }

    @Test
    void renewal_nodeLostTheLock_getsItBack() {
        nodes = UnreliableNode.several(3, time);
        Lease lease = granted(
                client(OPTIONS.toBuilder()
                        .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
                        .build()),
                LONG.toBuilder().renewal(true).build());
        nodes.get(0).node().flush();

        time.advance(MAX_LEASE.dividedBy(3).plusSeconds(1));
        assertThat(nodes.get(0).ownerOf("a")).isEqualTo(lease.owner());

        nodes.get(1).node().flush();
        time.advance(MAX_LEASE.dividedBy(3).plusSeconds(1));
        nodes.get(2).node().flush();
        time.advance(MAX_LEASE);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);

        lease.releaseAsync();
        time.settle();
        assertThat(nodes).allMatch(node -> node.ownerOf("a") == null);
    }

    @Test
    void renewal_nodeInQuarantine_isNotRepaired() {
        Lease lease = granted(client(OPTIONS), LONG.toBuilder().renewal(true).build());
        nodes.get(0).node().restart(false);

        time.advance(MAX_LEASE.dividedBy(3).plusSeconds(1));
        assertThat(nodes.get(0).ownerOf("a")).isNull();
        time.advance(QUARANTINE.plus(MAX_LEASE));
        assertThat(nodes.get(0).ownerOf("a")).isEqualTo(lease.owner());
    }

    @Test
    void lock_leaseBeyondTheLongest_isRefusedWithTheRemedy() {
        Holdfast client = client(OPTIONS);
        LockOptions longer =
                LockOptions.builder().lease(MAX_LEASE.plusMillis(1)).build();

        assertThatThrownBy(() -> client.lock("a", longer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxLease PT1M")
                .hasMessageContaining("for all clients");
        Lease lease = granted(client, ONCE);
        assertThatThrownBy(() -> lease.extend(MAX_LEASE.plusMillis(1))).hasMessageContaining("maxLease PT1M");
    }

    private Lease heldOnNodes0And1(Holdfast client) {
        time.advance(Duration.ofSeconds(1));
        nodes.get(2).down();
        Lease lease = granted(client, ONCE);
        nodes.get(2).up();
        return lease;
    }

    private Lease granted(Holdfast client, LockOptions options) {
        CompletableFuture<Lease> lease = acquire(client, "a", options);
        time.settle();
        assertThat(lease).isCompleted();
        return lease.join();
    }

    private List<Vote> votes(Holdfast client) {
        List<Vote> votes = new ArrayList<>();
        CompletableFuture<Lease> lease = acquire(client, "a", ONCE);
        time.settle();
        lease.whenComplete((granted, failure) -> {
            if (failure instanceof QuorumUnreachableException unreachable) {
                votes.addAll(unreachable.votes());
            }
        });
        return votes;
    }

    private static CompletableFuture<Lease> acquire(Holdfast client, String resource, LockOptions options) {
        return client.lock(resource, options).acquireAsync();
    }

    /** As networks do that send again what they have sent. */
    @Test
    void watch_aLookThatArrivesTwice_countsOnce() {
        InMemoryNode node = InMemoryNode.guarded("n", time);
        look(node, 0, Duration.ZERO);
        look(node, 1, Duration.ofSeconds(30));

        NodeStanding again = look(node, 1, Duration.ofSeconds(30));
        NodeStanding next = look(node, 2, Duration.ofSeconds(10));

        assertThat(again).isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(30), true));
        assertThat(next).isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(40), true));
    }

    /** A client that stood still while the node forgot once more; what it had learnt before is too little now. */
    @Test
    void watch_floorLearntInAnEarlierQuarantine_doesNotAdmit() {
        InMemoryNode node = InMemoryNode.guarded("n", time);
        QuorumConfig config = new QuorumConfig(3, MAX_LEASE);
        look(node, 0, Duration.ZERO);
        look(node, 1, QUARANTINE);
        node.flush();
        watch(node, "other", false, Duration.ZERO);
        watch(node, "other", false, QUARANTINE);

        QuarantineProbe late =
                new QuarantineProbe("w:2", "w:3", false, Duration.ZERO, QUARANTINE, new FencingToken(5), config);

        assertThat(node.probe(late).toCompletableFuture().join()).isInstanceOf(NodeStanding.Quarantined.class);
        assertThat(node.votes()).isFalse();
    }

    private static NodeStanding look(InMemoryNode node, int number, Duration watched) {
        QuorumConfig config = new QuorumConfig(3, MAX_LEASE);
        QuarantineProbe probe =
                new QuarantineProbe("w:" + number, "w:" + (number + 1), false, watched, QUARANTINE, null, config);
        return node.probe(probe).toCompletableFuture().join();
    }

    private static NodeStanding watch(InMemoryNode node, String watcher, boolean takeOver, Duration watched) {
        QuarantineProbe probe = new QuarantineProbe(
                watcher, watcher, takeOver, watched, QUARANTINE, null, new QuorumConfig(3, MAX_LEASE));
        return node.probe(probe).toCompletableFuture().join();
    }

    private List<UnreliableNode> unadopted(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> UnreliableNode.guarded("node-" + (char) ('a' + i), time))
                .toList();
    }

    private List<UnreliableNode> nodes(int count) {
        List<UnreliableNode> all = unadopted(count);
        QuarantineProbe admission =
                QuarantineProbe.admission("test", FencingToken.NONE, new QuorumConfig(count, MAX_LEASE));
        all.forEach(node -> node.node().probe(admission));
        return all;
    }

    private Holdfast client(HoldfastOptions options) {
        return Holdfast.over(nodes, options, time, new Random(1));
    }
}
