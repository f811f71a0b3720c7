package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.admin.LockAdmin;
import io.holdfast.client.ClientLog;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quarantine.QuarantineWatch;
import io.holdfast.time.SystemTime;
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

/** Nodes that lose their data, and the length of their quarantine. */
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
    void connect_newNodes_voteAfterObservationForTheLongestLease() {
        nodes = quarantinedNodes(3);
        Holdfast client = client(OPTIONS);
        time.advance(QUARANTINE.minusSeconds(1));
        assertThat(replies(client)).allMatch(reply -> reply.kind() == NodeReply.Kind.QUARANTINED);

        time.advance(Duration.ofSeconds(3));

        assertThat(granted(client, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    /**
     * A holds the lock on nodes 0 and 1, and node 1 forgets it. Without the quarantine, B would be granted it by nodes
     * 1 and 2.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_nodeForgotALease_isRefusedUntilItsEnd(boolean keepsSnapshot) {
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

    /** Without the safeguard: the violation that it prevents. */
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
    void probe_noClientConnected_timeDoesNotCount() {
        nodes = quarantinedNodes(1);
        Holdfast first =
                client(OPTIONS.toBuilder().restarts(RestartPolicy.QUARANTINE).build());
        time.advance(Duration.ofSeconds(10));
        first.close();
        time.advance(Duration.ofHours(1));

        Holdfast second =
                client(OPTIONS.toBuilder().restarts(RestartPolicy.QUARANTINE).build());
        time.advance(QUARANTINE.minusSeconds(12));
        assertThat(replies(second)).hasSize(1);
        time.advance(Duration.ofSeconds(4));
        assertThat(granted(second, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    /** Several observers do not shorten the quarantine. */
    @Test
    void probe_severalClients_countNoMomentTwice() {
        nodes = quarantinedNodes(3);
        Holdfast first = client(OPTIONS);
        IntStream.range(0, 5).forEach(i -> client(OPTIONS));
        time.advance(QUARANTINE.minusSeconds(1));

        assertThat(replies(first)).allMatch(reply -> reply.kind() == NodeReply.Kind.QUARANTINED);
    }

    @Test
    void probe_severalClients_countEveryMomentOnce() {
        nodes = quarantinedNodes(3);
        Holdfast first = client(OPTIONS);
        IntStream.range(0, 5).forEach(i -> client(OPTIONS));
        time.advance(QUARANTINE.plusSeconds(2));

        assertThat(granted(first, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void probe_observerIsGone_anotherTakesOver() {
        nodes = quarantinedNodes(3);
        client(OPTIONS).close();
        Holdfast second = client(OPTIONS);
        time.advance(QUARANTINE.plusSeconds(2));

        assertThat(granted(second, ONCE).state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void probe_timeBeforeATakeOver_isNotCounted() {
        InMemoryNode node = InMemoryNode.guarded("a", time);
        probe(node, "me", false, Duration.ZERO);
        probe(node, "other", true, Duration.ZERO);

        assertThat(probe(node, "me", true, Duration.ofSeconds(30)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ZERO, true, ""));
        assertThat(probe(node, "me", true, Duration.ofSeconds(2)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(2), true, ""));
        assertThat(probe(node, "other", false, Duration.ofSeconds(2)))
                .isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(2), false, ""));
    }

    @Test
    void probe_machineSuspended_countsTheMonotonicClockOnly() {
        nodes = quarantinedNodes(3);
        Holdfast client = client(OPTIONS);
        time.advance(Duration.ofSeconds(1));
        time.stepWallClock(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(10));

        assertThat(replies(client)).allMatch(reply -> reply.kind() == NodeReply.Kind.QUARANTINED);
    }

    @Test
    void flush_nodeInUse_isQuarantined() {
        Holdfast client = client(OPTIONS);
        nodes.get(0).node().flush();

        assertThat(client.lock("a", ONCE)).isNotNull();
        CompletableFuture<Lease> lease = acquire(client, "a", ONCE);
        time.settle();

        assertThat(lease).isCompletedWithValueMatching(granted -> granted.state() == LeaseState.HELD);
        assertThat(nodes.get(0).ownerOf("a")).isNull();
    }

    /** Nodes 0 and 1 have accepted a great fence. After both have forgotten it, no other node knows it. */
    @Test
    void floor_twoOfThreeForget_usesTheClock() {
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
    void floor_twoOfThreeForgetAndStrict_staysUnknown() {
        HoldfastOptions strict = OPTIONS.toBuilder().strictFences(true).build();
        Holdfast client = client(strict);
        nodes.get(0).node().restart(false);
        nodes.get(1).node().restart(false);

        time.advance(QUARANTINE.multipliedBy(3));

        assertThat(replies(client)).hasSizeGreaterThan(1);
    }

    /** The fence comes from a client whose clock was an hour ahead; the restarted node learns it from the others. */
    @Test
    void floor_oneOfThreeForgets_isLearntFromTheOthers() {
        time.stepWallClock(Duration.ofHours(1));
        Holdfast client = client(OPTIONS);
        Lease before = granted(client, ONCE);
        time.stepWallClock(Duration.ofHours(-1));
        nodes.get(2).node().restart(false);
        time.advance(QUARANTINE.plusSeconds(8));

        NodeStanding member = probe(nodes.get(2).node(), "reader", false, Duration.ZERO);

        assertThat(member)
                .isInstanceOfSatisfying(
                        NodeStanding.Admitted.class,
                        admitted -> assertThat(before.fencingToken().isAbove(admitted.fenceBound()))
                                .isFalse());
    }

    @Test
    void quarantine_beginAndEnd_areEachReportedOnce() {
        List<NodeStatus> news = new ArrayList<>();
        QuarantineWatch.ofAll(List.copyOf(nodes), new QuorumConfig(3, MAX_LEASE), false, "observer", time, news::add);
        time.advance(Duration.ofSeconds(1));
        news.clear();

        nodes.get(1).node().restart(false);
        time.advance(QUARANTINE.plusSeconds(10));

        assertThat(news).containsExactly(NodeStatus.quarantined("node-b", QUARANTINE), NodeStatus.voting("node-b"));
    }

    /** A connection that ended during the patrol's probe must not be reported for the whole interval of the patrol. */
    @Test
    void nodes_nodeAnswersAgain_isReportedWithinASecond() {
        nodes.get(1).down();
        Holdfast client = client(OPTIONS);
        time.advance(Duration.ofMillis(100));
        assertThat(client.nodes()).extracting(NodeStatus::state).contains(NodeStatus.State.UNREACHABLE);

        nodes.get(1).up();
        time.advance(Duration.ofSeconds(1));

        assertThat(client.nodes()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.VOTES);
    }

    @Test
    void sentence_severalNodes_namesCauseDurationAndRemedy() {
        List<NodeStatus> two =
                List.of(NodeStatus.quarantined("b", QUARANTINE), NodeStatus.quarantined("a", Duration.ofMillis(100)));
        String begin = "a, b were restarted, or never used before, and may have forgotten which locks are held: no vote"
                + " for another 66 s in which a client is connected. ";

        assertThat(ClientLog.sentence(two, false, true))
                .isEqualTo(begin + "Requests wait, since no majority votes; if all nodes are new and never held a lock,"
                        + " `holdfast admit` ends the wait");
        assertThat(ClientLog.sentence(two, false, false)).isEqualTo(begin + "Requests wait, since no majority votes");
        assertThat(ClientLog.sentence(two, true, false)).isEqualTo(begin + "The other nodes are a majority");
    }

    @Test
    void admit_anotherNodeVotes_isRefused() {
        nodes = nodes(3);
        LockAdmin admin = new LockAdmin(
                nodes.stream().<LockNode>map(UnreliableNode::node).toList(),
                new QuorumConfig(3, MAX_LEASE),
                true,
                time,
                resource -> {});
        nodes.get(2).node().restart(false);

        List<NodeAnswer<Boolean>> answers = admin.admit();

        assertThat(answers).filteredOn(NodeAnswer::isPresent).hasSize(2);
        assertThat(answers.get(2).error())
                .contains("2 of 3 already vote, so this is a restart, not a first start: wait 66 s");
        assertThat(admin.standings())
                .extracting(NodeStatus::state)
                .containsExactly(NodeStatus.State.VOTES, NodeStatus.State.VOTES, NodeStatus.State.QUARANTINED);
    }

    /** A client without quarantines asks any node for its vote. */
    @Test
    void standings_noQuarantine_nodeVotesAndIsUnchanged() {
        InMemoryNode node = InMemoryNode.guarded("a", time);
        LockAdmin admin = new LockAdmin(List.of(node), new QuorumConfig(1, MAX_LEASE), false, time, resource -> {});

        assertThat(admin.standings()).extracting(NodeStatus::state).containsExactly(NodeStatus.State.VOTES);

        NodeStanding first = probe(node, "me", true, Duration.ZERO);
        assertThat(first).isEqualTo(new NodeStanding.Quarantined(Duration.ZERO, true, ""));
    }

    /** An admission in the name of no server process would end the votes of those that have completed a quarantine. */
    @Test
    void admit_noQuarantine_nodeVotesAndIsUnchanged() {
        InMemoryNode node = InMemoryNode.guarded("a", time);
        LockAdmin admin = new LockAdmin(List.of(node), new QuorumConfig(1, MAX_LEASE), false, time, resource -> {});

        assertThat(admin.admit())
                .singleElement()
                .satisfies(admitted -> assertThat(admitted.isPresent()).isTrue());

        NodeStanding first = probe(node, "me", true, Duration.ZERO);
        assertThat(first).isEqualTo(new NodeStanding.Quarantined(Duration.ZERO, true, ""));
    }

    @Test
    void standings_nodeDoesNotAnswer_isUnreachableAfterTheLimit() {
        try (SystemTime real = new SystemTime()) {
            LockAdmin admin = new LockAdmin(
                    List.of(new InMemoryNode("a", real), new SilentNode()),
                    new QuorumConfig(2, MAX_LEASE),
                    false,
                    real,
                    resource -> {});

            assertThat(admin.standings(Duration.ofMillis(200)))
                    .extracting(NodeStatus::state)
                    .containsExactly(NodeStatus.State.VOTES, NodeStatus.State.UNREACHABLE);
        }
    }

    @Test
    void renewal_nodeLostTheLock_setsItAgain() {
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
        return Completed.value(lease);
    }

    private List<NodeReply> replies(Holdfast client) {
        List<NodeReply> replies = new ArrayList<>();
        CompletableFuture<Lease> lease = acquire(client, "a", ONCE);
        time.settle();
        lease.whenComplete((granted, failure) -> {
            if (failure instanceof QuorumUnreachableException unreachable) {
                replies.addAll(unreachable.replies());
            }
        });
        return replies;
    }

    private static CompletableFuture<Lease> acquire(Holdfast client, String resource, LockOptions options) {
        return client.lock(resource, options).acquireAsync();
    }

    /** A network may deliver a probe twice. */
    @Test
    void probe_arrivesTwice_countsOnce() {
        InMemoryNode node = InMemoryNode.guarded("n", time);
        ownProbe(node, 0, Duration.ZERO);
        ownProbe(node, 1, Duration.ofSeconds(30));

        NodeStanding again = ownProbe(node, 1, Duration.ofSeconds(30));
        NodeStanding next = ownProbe(node, 2, Duration.ofSeconds(10));

        assertThat(again).isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(30), true, "w:1"));
        assertThat(next).isEqualTo(new NodeStanding.Quarantined(Duration.ofSeconds(40), true, "w:1"));
    }

    /** A client was paused while the node forgot its data again; the floor from the earlier quarantine is too low. */
    @Test
    void probe_floorOfAnEarlierQuarantine_doesNotAdmit() {
        InMemoryNode node = InMemoryNode.guarded("n", time);
        QuorumConfig config = new QuorumConfig(3, MAX_LEASE);
        ownProbe(node, 0, Duration.ZERO);
        ownProbe(node, 1, QUARANTINE);
        node.flush();
        probe(node, "other", false, Duration.ZERO);
        probe(node, "other", false, QUARANTINE);

        QuarantineProbe late =
                new QuarantineProbe("w:2", "w:3", false, Duration.ZERO, QUARANTINE, new FencingToken(5), config);

        assertThat(Completed.value(node.probe(late))).isInstanceOf(NodeStanding.Quarantined.class);
        assertThat(node.votes()).isFalse();
    }

    /** A client that only reads may have the wrong nodes, which would refuse their own clients then. */
    @Test
    void probe_nodeIsNotAdmitted_leavesNoConfiguration() {
        InMemoryNode node = InMemoryNode.guarded("n", time);

        ownProbe(node, 0, Duration.ZERO);

        assertThat(Completed.value(node.admin().agreement()).config()).isNull();
    }

    private static NodeStanding ownProbe(InMemoryNode node, int number, Duration observed) {
        QuorumConfig config = new QuorumConfig(3, MAX_LEASE);
        QuarantineProbe probe =
                new QuarantineProbe("w:" + number, "w:" + (number + 1), false, observed, QUARANTINE, null, config);
        return Completed.value(node.probe(probe));
    }

    private static NodeStanding probe(InMemoryNode node, String observer, boolean takeOver, Duration observed) {
        QuarantineProbe probe = new QuarantineProbe(
                observer, observer, takeOver, observed, QUARANTINE, null, new QuorumConfig(3, MAX_LEASE));
        return Completed.value(node.probe(probe));
    }

    private List<UnreliableNode> quarantinedNodes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> UnreliableNode.guarded("node-" + (char) ('a' + i), time))
                .toList();
    }

    private List<UnreliableNode> nodes(int count) {
        List<UnreliableNode> all = quarantinedNodes(count);
        QuarantineProbe admission =
                QuarantineProbe.admission("test", FencingToken.NONE, new QuorumConfig(count, MAX_LEASE));
        all.forEach(node -> node.node().probe(admission));
        return all;
    }

    private Holdfast client(HoldfastOptions options) {
        return Holdfast.over(nodes, options, time, new Random(1));
    }
}
