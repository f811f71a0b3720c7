package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiters whose lock is held for a long time. They query the nodes rarely, and a query writes nothing. */
class IdleWaitTest {

    private static final String LOCK = "a";
    /** By then, a waiter's claim is older than the nodes would carry it out. */
    private static final Duration SETTLED = Duration.ofSeconds(10);
    /** The longest time between two queries. */
    private static final Duration POLL = Duration.ofSeconds(4);

    private static final LockOptions PATIENT =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast waiting = client(1);
    private final Holdfast holding = client(2);
    private Lease held;

    @BeforeEach
    void hold() {
        nodes.forEach(UnreliableNode::relayNotifications);
        CompletableFuture<Lease> lease = holding.lock(LOCK).acquireAsync();
        time.settle();
        held = Completed.value(lease);
    }

    @Test
    void acquire_lockIsHeldForLong_queriesRarelyAndWritesNothing() {
        waitIdly();
        nodes.forEach(node -> node.received().clear());

        time.advance(Duration.ofMinutes(1));

        for (UnreliableNode node : nodes) {
            List<Claim.Action> received =
                    node.received().stream().map(Claim::action).toList();
            assertThat(received).containsOnly(Claim.Action.QUERY, Claim.Action.EXTEND);
            assertThat(node.received(Claim.Action.QUERY)).isBetween(15L, 31L);
        }
    }

    /** A node forgets a wait queue ten minutes after the last attempt in it. */
    @Test
    void acquire_lockIsHeldForVeryLong_keepsThePosition() {
        waitIdly();

        for (int seconds = 0; seconds < 25 * 60; seconds++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(nodes)
                    .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).hasSize(1));
        }
    }

    @Test
    void acquire_sharedWait_makesAttempts() {
        waiting.lock(LOCK, PATIENT).shared().acquireAsync();
        time.advance(SETTLED);

        assertThat(nodes.get(0).received(Claim.Action.QUERY)).isZero();
    }

    @Test
    void query_lockIsFree_isFollowedByAnAttempt() {
        CompletableFuture<Lease> lease = waitIdly();

        nodes.forEach(node -> node.node().evict());
        time.advance(POLL);

        assertThat(lease).isCompleted();
    }

    @Test
    void query_nodesAreUnreachable_isFollowedByAnAttempt() {
        waitIdly();
        nodes.forEach(node -> node.received().clear());

        nodes.forEach(UnreliableNode::down);
        time.advance(POLL);

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isPositive();
    }

    @Test
    void release_idleWaiter_acquiresTheLock() {
        CompletableFuture<Lease> lease = waitIdly();

        held.releaseAsync();
        time.settle();

        assertThat(Completed.value(lease).isValid()).isTrue();
    }

    @Test
    void release_duringAQuery_waiterAcquiresTheLock() {
        CompletableFuture<Lease> lease = waitIdly();
        advanceIntoQuery();

        held.releaseAsync();
        time.advance(Duration.ofMillis(100));

        assertThat(Completed.value(lease).isValid()).isTrue();
    }

    @Test
    void acquire_limitExpires_endsThenAndLeavesTheQueue() {
        CompletableFuture<Lease> lease =
                ask(LockOptions.builder().waitLimit(Duration.ofMinutes(1)).build());
        time.advance(Duration.ofMinutes(1).minusMillis(1));
        assertThat(lease).isNotCompleted();

        time.advance(Duration.ofMillis(2));

        assertThat(lease).isCompletedExceptionally();
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).isEmpty());
    }

    @Test
    void cancel_duringAQuery_leavesTheQueue() {
        CompletableFuture<Lease> lease = waitIdly();
        advanceIntoQuery();

        lease.cancel(false);
        time.advance(Duration.ofMillis(100));

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).isEmpty());
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().ownerOf(LOCK)).isNotNull());
    }

    private CompletableFuture<Lease> waitIdly() {
        CompletableFuture<Lease> lease = ask(PATIENT);
        time.advance(SETTLED);
        return lease;
    }

    private void advanceIntoQuery() {
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));
        long before = nodes.get(0).received(Claim.Action.QUERY);
        for (int i = 0; i < POLL.toMillis() && nodes.get(0).received(Claim.Action.QUERY) == before; i++) {
            time.advance(Duration.ofMillis(1));
        }
        assertThat(nodes.get(0).received(Claim.Action.QUERY)).isEqualTo(before + 1);
    }

    private CompletableFuture<Lease> ask(LockOptions options) {
        CompletableFuture<Lease> lease = waiting.lock(LOCK, options).acquireAsync();
        time.settle();
        return lease;
    }

    private Holdfast client(long seed) {
        return Holdfast.forTesting(List.copyOf(nodes), time, new Random(seed));
    }
}
