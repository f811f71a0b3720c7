package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.WaitTicket;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the previous nodes, of the present ones, and of both, while the nodes are being changed. */
class PreviousNodesTest {

    private static final String LOCK = "a";
    private static final Duration LATENCY = Duration.ofMillis(5);
    private static final Duration ROUND_TRIP = LATENCY.multipliedBy(2);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(LEASE).waitLimit(Duration.ofHours(1)).build();
    private static final LockOptions AT_ONCE =
            OPTIONS.toBuilder().waitLimit(Duration.ZERO).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> present = UnreliableNode.several(3, time);
    private final List<UnreliableNode> previous = List.of(new UnreliableNode("old", time));
    private int clients;

    /** The nodes that a client has. */
    private enum Kind {
        PREVIOUS,
        BOTH,
        PRESENT
    }

    private Holdfast client(Kind kind) {
        return client(kind, previous, time);
    }

    private Holdfast client(Kind kind, List<UnreliableNode> before, Time clock) {
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();
        return Holdfast.over(
                List.<LockNode>copyOf(kind == Kind.PREVIOUS ? before : present),
                kind == Kind.BOTH ? List.<LockNode>copyOf(before) : List.of(),
                options,
                clock,
                new Random(++clients));
    }

    private CompletableFuture<Lease> ask(Holdfast client, LockOptions options) {
        CompletableFuture<Lease> lease = client.lock(LOCK, options).acquireAsync();
        time.advance(LATENCY.multipliedBy(8));
        return lease;
    }

    private void connect() {
        for (List<UnreliableNode> set : List.of(present, previous)) {
            set.forEach(UnreliableNode::relayNotifications);
            set.forEach(node -> node.latency(LATENCY));
        }
    }

    private void release(Lease lease) {
        lease.releaseAsync();
        time.advance(LATENCY.multipliedBy(4));
    }

    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void acquire_heldByAClientOfOneSet_isRefusedForAClientOfBoth(Kind alone) {
        Lease held = Completed.value(ask(client(alone), AT_ONCE));

        assertThat(Completed.failure(ask(client(Kind.BOTH), AT_ONCE))).isInstanceOf(LockTimeoutException.class);
        release(held);
        assertThat(Completed.value(ask(client(Kind.BOTH), AT_ONCE)).isValid()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void acquire_heldByAClientOfBoth_isRefusedForAll(Kind other) {
        Lease held = Completed.value(ask(client(Kind.BOTH), AT_ONCE));

        assertThat(Completed.failure(ask(client(other), AT_ONCE))).isInstanceOf(LockTimeoutException.class);
        release(held);
        assertThat(Completed.value(ask(client(other), AT_ONCE)).isValid()).isTrue();
    }

    /** The failed attempt leaves the other set free. */
    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void acquire_refusedByOneSet_leavesNothingOnTheOther(Kind alone) {
        Lease held = Completed.value(ask(client(alone), AT_ONCE));
        Completed.failure(ask(client(Kind.BOTH), AT_ONCE));
        release(held);

        Holdfast other = client(alone == Kind.PREVIOUS ? Kind.PRESENT : Kind.PREVIOUS);

        assertThat(Completed.value(ask(other, AT_ONCE)).isValid()).isTrue();
    }

    @Test
    void acquire_noMajorityOfOneSet_isUnreachable() {
        previous.get(0).down();
        Throwable failure = Completed.failure(ask(client(Kind.BOTH), AT_ONCE));

        assertThat(failure)
                .isInstanceOf(QuorumUnreachableException.class)
                .hasMessageContaining("a majority of 2 of 3 nodes and 1 of 1 previous nodes has to vote");
        assertThat(((QuorumUnreachableException) failure).nodes()).isEqualTo(4);
    }

    /** The previous node votes, which does not show that the present ones have been in use. */
    @Test
    void acquire_presentNodesAreNew_isUnreachableWithTheRemedy() {
        List<UnreliableNode> fresh = List.of(UnreliableNode.guarded("a", time), UnreliableNode.guarded("b", time));
        List<UnreliableNode> used = List.of(UnreliableNode.guarded("old", time));
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(RestartPolicy.QUARANTINE).build();
        Holdfast.over(used, options, time, new Random(1)).admin().admit();

        Throwable failure = Completed.failure(ask(Holdfast.over(fresh, used, options, time, new Random(2)), AT_ONCE));

        assertThat(failure).isInstanceOf(QuorumUnreachableException.class).hasMessageContaining("`holdfast admit`");
    }

    @Test
    void acquire_minorityOfThePresentSetIsDown_isGranted() {
        present.get(1).down();

        assertThat(Completed.value(ask(client(Kind.BOTH), AT_ONCE)).isValid()).isTrue();
    }

    /** A client of both sets is next in the queue of the one that is held, and takes the other one at once. */
    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void acquire_waitsBehindAClientOfOneSet_isGrantedByItsRelease(Kind alone) {
        connect();
        Lease held = Completed.value(ask(client(alone), OPTIONS));
        CompletableFuture<Lease> waiter = ask(client(Kind.BOTH), OPTIONS);
        time.advance(Duration.ofSeconds(1));
        assertThat(waiter).isNotCompleted();

        held.releaseAsync();
        time.advance(ROUND_TRIP);

        assertThat(Completed.value(waiter).fencingToken()).isGreaterThan(held.fencingToken());
    }

    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void acquire_waitsBehindAClientOfBoth_isGrantedByItsRelease(Kind alone) {
        connect();
        Lease held = Completed.value(ask(client(Kind.BOTH), OPTIONS));
        CompletableFuture<Lease> waiter = ask(client(alone), OPTIONS);

        held.releaseAsync();
        time.advance(ROUND_TRIP);

        assertThat(Completed.value(waiter).fencingToken()).isGreaterThan(held.fencingToken());
    }

    /** A server may be a node of both sets, and a message does not say from which database it comes. */
    @Test
    void acquire_waits_isKnownByAnotherNameToEachSet() {
        connect();
        Completed.value(ask(client(Kind.BOTH), OPTIONS));
        ask(client(Kind.BOTH), OPTIONS);

        assertThat(inboxes(present)).isNotEmpty().doesNotContainAnyElementsOf(inboxes(previous));
        assertThat(inboxes(previous)).isNotEmpty();
    }

    private static Set<String> inboxes(List<UnreliableNode> nodes) {
        return nodes.stream()
                .flatMap(node -> node.received().stream())
                .flatMap(claim -> Optional.ofNullable(claim.ticket()).stream())
                .map(WaitTicket::inbox)
                .collect(Collectors.toSet());
    }

    /** Otherwise the clients of one set, which never pause, would keep out those of both. */
    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void acquire_manyClientsOfOneSetWait_isServedInItsTurn(Kind alone) {
        connect();
        Lease held = Completed.value(ask(client(alone), OPTIONS));
        CompletableFuture<Lease> before = ask(client(alone), OPTIONS);
        CompletableFuture<Lease> both = ask(client(Kind.BOTH), OPTIONS);
        List<CompletableFuture<Lease>> after = List.of(ask(client(alone), OPTIONS), ask(client(alone), OPTIONS));
        time.advance(Duration.ofSeconds(2));

        release(held);
        release(Completed.value(before));

        release(Completed.value(both));
        release(Completed.value(after.get(0)));
        assertThat(after.get(1)).isCompleted();
    }

    @Test
    void acquire_manyClientsOfBothSets_areServedInTurn() {
        connect();
        Lease held = Completed.value(ask(client(Kind.BOTH), OPTIONS));
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(ask(client(Kind.BOTH), OPTIONS));
        }

        for (CompletableFuture<Lease> next : waiters) {
            time.advance(ROUND_TRIP);
            held.releaseAsync();
            time.advance(ROUND_TRIP);
            held = Completed.value(next);
        }
    }

    /** The wall clock of a client may be behind that of the one before it. */
    @ParameterizedTest
    @ValueSource(ints = {-60, 0, 60})
    void acquire_clientsOfEachKindInTurn_haveGrowingTokens(int seconds) {
        Time wrong = new WrongClock(time, Duration.ofSeconds(seconds));
        List<Holdfast> inTurn = List.of(
                client(Kind.PREVIOUS),
                client(Kind.BOTH, previous, wrong),
                client(Kind.PREVIOUS),
                client(Kind.BOTH),
                client(Kind.BOTH, previous, wrong),
                client(Kind.PRESENT));
        FencingToken last = FencingToken.NONE;

        for (Holdfast client : inTurn) {
            Lease lease = Completed.value(ask(client, OPTIONS));
            assertThat(lease.fencingToken()).isGreaterThan(last);
            last = lease.fencingToken();
            release(lease);
        }
    }

    @Test
    void record_writtenByClientsOfEachKind_isFoundByTheNext() {
        for (Kind kind : List.of(Kind.PREVIOUS, Kind.BOTH, Kind.PREVIOUS, Kind.BOTH, Kind.PRESENT, Kind.BOTH)) {
            Lease lease = Completed.value(ask(client(kind), OPTIONS));
            CompletableFuture<LockRecord> read = lease.record().readAsync();
            time.advance(ROUND_TRIP);
            int count = Completed.value(read).text().length();
            assertThat(Completed.value(read).isLatest()).isTrue();
            HeldRecord record = lease.record();
            record.readAsync();
            CompletableFuture<Boolean> written = record.writeAsync("x".repeat(count + 1), Duration.ofHours(1));
            time.advance(ROUND_TRIP);
            assertThat(Completed.value(written)).isTrue();
            release(lease);
        }
        Lease last = Completed.value(ask(client(Kind.PRESENT), OPTIONS));
        CompletableFuture<LockRecord> read = last.record().readAsync();
        time.advance(ROUND_TRIP);
        assertThat(Completed.value(read).text()).hasSize(6);
    }

    /** A client that loses its majority of one set has lost the lock. */
    @ParameterizedTest
    @EnumSource(names = {"PREVIOUS", "PRESENT"})
    void extend_takenAwayOnOneSet_isLost(Kind alone) {
        Lease lease = Completed.value(ask(client(Kind.BOTH), OPTIONS));

        (alone == Kind.PREVIOUS ? previous : present)
                .forEach(node -> node.node().evict(LOCK));
        CompletableFuture<Boolean> extended = lease.extendAsync(LEASE);
        time.advance(ROUND_TRIP);

        assertThat(Completed.failure(extended)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void lock_leaseOfOnlyOneSet_isTooLong() {
        HoldfastOptions options = HoldfastOptions.builder()
                .maxLease(Duration.ofMinutes(5))
                .previousMaxLease(Duration.ofMinutes(1))
                .build();
        Holdfast both = Holdfast.over(present, previous, options, time, new Random(1));

        assertThat(both.longestLease()).isEqualTo(Duration.ofMinutes(1));
        assertThat(Holdfast.over(present, options, time, new Random(1)).longestLease())
                .isEqualTo(Duration.ofMinutes(5));
        assertThatThrownBy(() -> both.lock(
                        LOCK, OPTIONS.toBuilder().lease(Duration.ofMinutes(2)).build()))
                .hasMessageContaining("lease PT2M is longer than maxLease PT1M");
    }

    @Test
    void nodes_ofBothSets_areSeparate() {
        Holdfast both = client(Kind.BOTH);

        assertThat(both.nodes()).hasSize(3);
        assertThat(both.previousNodes())
                .singleElement()
                .matches(node -> node.name().equals("old"));
        assertThat(client(Kind.PRESENT).previousNodes()).isEmpty();
    }

    @Test
    void over_nodeOfBothSets_isRefused() {
        assertThatThrownBy(() -> Holdfast.over(present, present, HoldfastOptions.DEFAULT, time, new Random(1)))
                .hasMessageContaining("is given twice");
    }

    @Test
    void connect_serverOfBothSets_needsAnotherDatabase() {
        HoldfastOptions options = HoldfastOptions.builder()
                .previousNodes(List.of("redis://user:secret@a:6379"))
                .build();

        assertThatThrownBy(() -> Holdfast.connect(List.of("redis://a:6379", "redis://b:6379"), options))
                .hasMessage(
                        "The node redis://a:6379 is in the present and in the previous set; let the server take part"
                                + " in the present one with another database, such as redis://host:6379/1");
    }
}
