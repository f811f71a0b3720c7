package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.WakeUp;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters in the wait queues of the nodes: they are notified in order, and poll in case a notification was lost. */
class WaitingTest {

    private static final String LOCK = "a";
    /** So long that only a notification explains a grant. */
    private static final Duration POLL = Duration.ofSeconds(20);

    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofMinutes(1))
            .waitLimit(Duration.ofHours(1))
            .retryDelays(Duration.ofMillis(20), POLL)
            .build();
    private static final LockOptions FAIR = OPTIONS.toBuilder().fair(true).build();
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final VirtualTime time = new VirtualTime();
    private final List<Lease> granted = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void release_severalWaiters_areServedAtOnceAndInOrder(int nodeCount) {
        List<InMemoryNode> nodes = nodes(nodeCount);
        List<Holdfast> clients = clients(nodes, 6);
        clients.forEach(client -> ask(client, OPTIONS));

        List<String> order = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            assertThat(granted).hasSize(i + 1);
            order.add(granted.get(i).fencingToken().toString());
            granted.get(i).releaseAsync();
            time.advance(MOMENT);
        }

        assertThat(order).isSorted();
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.ownerOf(LOCK)).isNull();
            assertThat(node.waitQueue(LOCK)).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_severalWaiters_areServedInOrderOfArrival(boolean fair) {
        List<InMemoryNode> nodes = nodes(3);
        LockOptions options = OPTIONS.toBuilder().fair(fair).build();
        Lease first = granted(client(nodes), options);
        List<CompletableFuture<Lease>> waiting = Stream.of(Duration.ofHours(1), Duration.ZERO, Duration.ofHours(-1))
                .map(error -> ask(client(nodes, error), options))
                .toList();

        first.releaseAsync();
        for (CompletableFuture<Lease> next : waiting) {
            time.advance(MOMENT);
            assertThat(granted.get(granted.size() - 1)).isEqualTo(Completed.value(next));
            Completed.value(next).releaseAsync();
        }
    }

    @Test
    void acquire_lockIsReservedForAnotherWaiter_isRefused() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        Holdfast hanging = client(nodes);
        ask(hanging, OPTIONS);
        nodes.forEach(node -> node.listen(node.waitQueue(LOCK).get(0), wake -> {}));
        letClaimsGrowOld();

        first.releaseAsync();
        time.settle();
        CompletableFuture<Lease> newcomer = ask(client(nodes), OPTIONS);
        assertThat(newcomer).isNotCompleted();

        time.advance(WakeUp.RESERVATION.plusMillis(1));
        assertThat(newcomer).isCompleted();
    }

    /** Standing claims that are this old are not carried out; their clients are notified. */
    private void letClaimsGrowOld() {
        time.advance(Claim.STANDING_TTL);
    }

    /**
     * The first waiter was notified and does not claim the lock. The second one was informed, and retries when the
     * reservation is over.
     */
    @Test
    void release_headOfTheQueueHangs_nextIsGrantedAfterOneReservation() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        ask(client(nodes), OPTIONS);
        nodes.forEach(node -> node.listen(node.waitQueue(LOCK).get(0), wake -> {}));
        CompletableFuture<Lease> second = ask(client(nodes), OPTIONS);
        letClaimsGrowOld();

        first.releaseAsync();
        time.advance(WakeUp.RESERVATION.minusMillis(1));
        assertThat(second).isNotCompleted();

        time.advance(Duration.ofMillis(5));
        assertThat(second).isCompleted();
    }

    @Test
    void release_headOfTheQueueIsDisconnected_notifiesTheNextAtOnce() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        ask(client(nodes), OPTIONS);
        nodes.forEach(node -> node.unlisten(node.waitQueue(LOCK).get(0)));
        CompletableFuture<Lease> second = ask(client(nodes), OPTIONS);

        first.releaseAsync();
        time.advance(MOMENT);

        assertThat(second).isCompleted();
    }

    @Test
    void acquire_notificationIsLost_retriesAfterThePollInterval() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        CompletableFuture<Lease> waiting = ask(client(nodes), OPTIONS);
        nodes.forEach(node -> node.listen(node.waitQueue(LOCK).get(0), wake -> {}));

        first.releaseAsync();
        time.advance(POLL);

        assertThat(waiting).isCompleted();
    }

    /** The notification of one node is not enough: its lock may have been deleted, or its connection lost. */
    @Test
    void acquire_oneNodeOfThreeNotifies_doesNotRetryYet() {
        List<UnreliableNode> nodes = UnreliableNode.several(3, time);
        nodes.forEach(UnreliableNode::enableNotifications);
        granted(client(nodes), OPTIONS);
        ask(client(nodes), OPTIONS);
        long asked = nodes.get(2).received(Claim.Action.ACQUIRE);

        nodes.get(0).notifyClients(LOCK);
        time.advance(MOMENT);
        assertThat(nodes.get(2).received(Claim.Action.ACQUIRE)).isEqualTo(asked);

        nodes.get(0).notifyClients(LOCK);
        nodes.get(1).notifyClients(LOCK);
        time.advance(MOMENT);
        assertThat(nodes.get(2).received(Claim.Action.ACQUIRE)).isEqualTo(asked + 1);
    }

    @Test
    void acquire_fairLockHasExpired_newcomerDoesNotOvertake() {
        List<InMemoryNode> nodes = nodes(3);
        granted(client(nodes), FAIR.toBuilder().renewal(false).build());
        CompletableFuture<Lease> waiting = ask(
                client(nodes),
                FAIR.toBuilder()
                        .retryDelays(Duration.ofMillis(20), Duration.ofHours(1))
                        .build());
        nodes.forEach(InMemoryNode::evict);

        CompletableFuture<Lease> newcomer = ask(client(nodes), FAIR);
        time.advance(Duration.ofMillis(25));

        assertThat(waiting).isCompleted();
        assertThat(newcomer).isNotCompleted();
    }

    @Test
    void acquire_waitLimitExpires_leavesTheWaitQueue() {
        List<InMemoryNode> nodes = nodes(3);
        granted(client(nodes), OPTIONS);
        ask(client(nodes), OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(1)).build());
        CompletableFuture<Lease> cancelled = ask(client(nodes), OPTIONS);
        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).hasSize(2));

        cancelled.cancel(true);
        time.advance(Duration.ofSeconds(2));

        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).isEmpty());
    }

    /** A node that had not received the release refused the notified waiter, which still leaves its wait queue. */
    @Test
    void acquire_grantedByAMajority_leavesTheWaitQueueOfTheOtherNodes() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        CompletableFuture<Lease> second = ask(client(nodes), OPTIONS);
        FencingToken greater = new FencingToken(first.fencingToken().value() + 1_000_000);
        nodes.get(2).evict();
        nodes.get(2).ask(Claim.acquire(LOCK, new Owner("stranger"), Duration.ofHours(1), greater));

        first.releaseAsync();
        time.advance(MOMENT);
        assertThat(second).isCompleted();

        time.advance(OPTIONS.nodeTimeout());
        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).isEmpty());
    }

    /** A waiter that is cancelled with a reservation lets the node notify the next one. */
    @Test
    void cancel_ofTheNotifiedWaiter_notifiesTheNextAtOnce() {
        List<InMemoryNode> nodes = nodes(3);
        Lease first = granted(client(nodes), OPTIONS);
        CompletableFuture<Lease> gone = ask(client(nodes), OPTIONS);
        nodes.forEach(node -> node.listen(node.waitQueue(LOCK).get(0), wake -> {}));
        CompletableFuture<Lease> second = ask(client(nodes), OPTIONS);
        first.releaseAsync();
        time.settle();

        gone.cancel(true);
        time.advance(MOMENT);

        assertThat(second).isCompleted();
    }

    @Test
    void acquire_manyWaitersOfOneClient_oneContends() {
        List<UnreliableNode> nodes = UnreliableNode.several(3, time);
        granted(client(nodes), OPTIONS);
        Holdfast client = client(nodes);
        long before = nodes.get(0).received(Claim.Action.ACQUIRE);
        IntStream.range(0, 100).forEach(i -> client.lock(LOCK, OPTIONS).acquireAsync());
        time.settle();

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isEqualTo(before + 1);
    }

    @Test
    void release_localWaiter_isHandedTheLockWithoutARoundTrip() {
        List<UnreliableNode> nodes = UnreliableNode.several(3, time);
        Holdfast client = client(nodes);
        Lease first = granted(client, OPTIONS);
        CompletableFuture<Lease> second = ask(client, OPTIONS);
        nodes.forEach(UnreliableNode::freeze);

        CompletableFuture<ReleaseOutcome> released = first.releaseAsync().toCompletableFuture();
        time.settle();

        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(Completed.value(second).fencingToken().isAbove(first.fencingToken()))
                .isTrue();
        assertThat(first.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(Completed.value(second).state()).isEqualTo(LeaseState.HELD);
    }

    /** The limit of local hand-overs counts from the grant, not from the request. */
    @Test
    void release_networkIsSlow_stillHandsOver() {
        List<UnreliableNode> nodes = UnreliableNode.several(3, time);
        nodes.forEach(node -> node.latency(Duration.ofMillis(20)));
        Holdfast client = client(nodes);
        LockOptions slow =
                OPTIONS.toBuilder().nodeTimeout(Duration.ofMillis(100)).build();
        CompletableFuture<Lease> first = ask(client, slow);
        CompletableFuture<Lease> second = ask(client, slow);
        time.advance(Duration.ofMillis(40));
        nodes.forEach(UnreliableNode::freeze);

        Completed.value(first).releaseAsync();
        time.settle();

        assertThat(second).isCompleted();
    }

    @Test
    void release_afterTheMostHandOvers_servesOtherClients() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast greedy = client(nodes);
        granted(greedy, OPTIONS);
        CompletableFuture<Lease> other = ask(client(nodes), OPTIONS);
        IntStream.range(0, 40)
                .forEach(i -> greedy.lock(LOCK, OPTIONS).acquireAsync().thenAccept(granted::add));

        int turns = 0;
        while (!other.isDone()) {
            granted.get(turns++).releaseAsync();
            time.advance(Duration.ofNanos(50_000));
        }

        assertThat(turns).isEqualTo(17);
        assertThat(granted.stream().map(lease -> lease.fencingToken().value()).toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** Waiters of other clients do not wait for a series of long holds. */
    @Test
    void release_longAfterTheGrant_doesNotHandOver() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast greedy = client(nodes);
        Lease first = granted(greedy, OPTIONS);
        CompletableFuture<Lease> other = ask(client(nodes), OPTIONS);
        ask(greedy, OPTIONS);
        time.advance(Duration.ofMillis(100));
        first.releaseAsync();
        time.advance(Duration.ofMillis(25));

        assertThat(other).isCompleted();
    }

    @Test
    void release_nextWaiterHasOtherParameters_contendsItself() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast client = client(nodes);
        Lease first = granted(client, OPTIONS);
        CompletableFuture<Lease> second =
                ask(client, OPTIONS.toBuilder().lease(Duration.ofSeconds(10)).build());

        first.releaseAsync();
        time.advance(MOMENT);

        assertThat(Completed.value(second).owner()).isNotEqualTo(first.owner());
        assertThat(Completed.value(second).remaining()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void cancel_ofTheContender_letsTheNextContend() {
        List<InMemoryNode> nodes = nodes(3);
        Lease held = granted(client(nodes), OPTIONS);
        Holdfast client = client(nodes);
        CompletableFuture<Lease> first = ask(client, OPTIONS);
        CompletableFuture<Lease> second = ask(client, OPTIONS);

        first.cancel(true);
        held.releaseAsync();
        time.advance(MOMENT);

        assertThat(second).isCompleted();
    }

    @Test
    void loss_ofALocalHolder_letsTheNextContend() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast client = client(nodes);
        granted(client, OPTIONS.toBuilder().renewal(false).build());
        CompletableFuture<Lease> second = ask(client, OPTIONS);

        time.advance(Duration.ofSeconds(61));

        assertThat(second).isCompleted();
    }

    private CompletableFuture<Lease> ask(Holdfast client, LockOptions options) {
        CompletableFuture<Lease> lease = client.lock(LOCK, options).acquireAsync();
        lease.thenAccept(granted::add);
        time.advance(MOMENT);
        return lease;
    }

    private Lease granted(Holdfast client, LockOptions options) {
        CompletableFuture<Lease> lease = ask(client, options);
        return Completed.value(lease);
    }

    private List<InMemoryNode> nodes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new InMemoryNode("node-" + i, time))
                .toList();
    }

    private List<Holdfast> clients(List<InMemoryNode> nodes, int count) {
        return IntStream.range(0, count).mapToObj(i -> client(nodes)).toList();
    }

    private Holdfast client(List<? extends LockNode> nodes) {
        return Holdfast.forTesting(nodes, time, new Random(granted.size()));
    }

    /** Returns a client whose wall clock is wrong by this error. */
    private Holdfast client(List<InMemoryNode> nodes, Duration error) {
        return Holdfast.forTesting(nodes, new WrongClock(time, error), new Random(1));
    }
}
