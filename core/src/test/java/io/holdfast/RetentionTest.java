package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.admin.LockAdmin;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases that are released while the nodes keep the lock for a time. */
@Execution(ExecutionMode.CONCURRENT)
class RetentionTest {

    private static final String LOCK = "a";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration KEEP = Duration.ofSeconds(7);
    private static final Duration SLACK = Duration.ofMillis(3);
    /** So long that only a report of the nodes explains a grant. */
    private static final Duration POLL = Duration.ofMinutes(20);

    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(LEASE)
            .waitLimit(Duration.ofHours(1))
            .retryDelays(Duration.ofMillis(20), POLL)
            .build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = Holdfast.forTesting(nodes, time, new Random(1));
    private final Holdfast other = Holdfast.forTesting(nodes, time, new Random(2));
    private final List<Loss> losses = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 7_000, 30_000, 60_000})
    void release_withATimeToKeep_endsTheLeaseAndKeepsTheLockForThatTime(long millis) {
        Lease lease = acquired();
        time.advance(Duration.ofSeconds(4));

        assertThat(released(lease, Duration.ofMillis(millis))).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.remaining()).isZero();
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().timeLeft(LOCK)).isEqualTo(Duration.ofMillis(millis)));
        time.advance(Duration.ofMillis(millis).minusNanos(1));
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());
        time.advance(Duration.ofNanos(1));
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
        assertThat(losses).isEmpty();
    }

    @Test
    void release_withNothingToKeep_releases() {
        Lease lease = acquired();

        assertThat(released(lease, Duration.ZERO)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    /** Whole milliseconds are all that a node can keep; the time is never shortened to them. */
    @Test
    void release_partOfAMillisecond_isRoundedUp() {
        released(acquired(), Duration.ofNanos(1_000_001));

        assertThat(nodes.get(0).node().timeLeft(LOCK)).isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void release_outOfRange_throwsAndTheLeaseContinues() {
        Lease lease = acquired();

        for (Duration keep : List.of(Duration.ofNanos(-1), LockOptions.MAX_LEASE.plusNanos(1))) {
            assertThatThrownBy(() -> lease.release(keep))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("keep " + keep, "maxLease PT24H", "raise maxLease for all clients");
            assertThatThrownBy(() -> lease.releaseAsync(keep)).isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(LEASE.multipliedBy(2));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void release_secondCall_returnsTheFirstResultAndChangesNothing() {
        Lease lease = acquired();
        released(lease, KEEP);

        assertThat(released(lease, Duration.ofSeconds(50))).isEqualTo(ReleaseOutcome.RELEASED);
        lease.close();

        assertThat(nodes.get(0).node().timeLeft(LOCK)).isEqualTo(KEEP);
        assertThat(nodes.get(0).received(Claim.Action.RELEASE)).isZero();
    }

    /** The next waiter of this client gets no hand-over, although the lock was granted in this moment. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void release_waitersOfThisClientAndAnother_acquireWhenTheTimeIsOver(boolean fair) {
        LockOptions options = OPTIONS.toBuilder().fair(fair).build();
        Lease lease = acquired();
        CompletableFuture<Lease> here = client.lock(LOCK, options).acquireAsync();
        CompletableFuture<Lease> there = other.lock(LOCK, options).acquireAsync();
        here.thenAccept(Lease::releaseAsync);
        there.thenAccept(Lease::releaseAsync);
        time.advance(Duration.ofMillis(1));

        released(lease, KEEP);

        time.advance(KEEP.minusMillis(3));
        assertThat(List.of(here, there)).noneMatch(CompletableFuture::isDone);
        time.advance(Duration.ofSeconds(1));
        assertThat(List.of(here, there)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void release_tooFewNodesAnswer_isUnconfirmedAndRepeatedWithTheTimeLeft() {
        Lease lease = acquired();
        nodes.forEach(UnreliableNode::down);

        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync(KEEP);
        time.advance(Duration.ofSeconds(2));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        nodes.forEach(UnreliableNode::up);
        time.advance(Duration.ofSeconds(2));

        Duration left = KEEP.minusSeconds(4);
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().timeLeft(LOCK)).isBetween(left, left.plusMillis(1)));
    }

    @Test
    void release_nodeReturnsAfterTheTime_isReleasedThere() {
        Lease lease = acquired();
        nodes.get(0).down();
        lease.releaseAsync(KEEP);
        time.advance(KEEP);
        assertThat(nodes.get(0).node().ownerOf(LOCK)).isNotNull();

        nodes.get(0).up();
        time.advance(Duration.ofSeconds(2));

        assertThat(nodes.get(0).node().ownerOf(LOCK)).isNull();
    }

    @Test
    void release_extensionArrivesLater_doesNotMakeItLastLonger() {
        Lease lease = acquired();
        nodes.forEach(node -> node.delay(Claim.Action.EXTEND));
        lease.extendAsync(Duration.ofSeconds(55));

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.RELEASED);
        nodes.forEach(UnreliableNode::thaw);
        time.settle();

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().timeLeft(LOCK)).isEqualTo(KEEP));
        assertThat(losses).isEmpty();
    }

    @Test
    void release_lostLease_keepsNothing() {
        Lease lease = acquired(OPTIONS.toBuilder().renewal(false).build());
        time.advance(LEASE);

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.NOT_HELD);

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
        assertThat(losses).hasSize(1);
    }

    /** The keys have vanished, so no node keeps the lock although the lease was valid. */
    @Test
    void release_keysAreGone_isNotHeld() {
        Lease lease = acquired();
        nodes.forEach(node -> node.node().evict(LOCK));

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.NOT_HELD);

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    @Test
    void release_detachedLease_sendsNothing() {
        Lease lease = acquired();
        lease.detach();

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.NOT_HELD);

        assertThat(nodes.get(0).received(Claim.Action.RETAIN)).isZero();
        assertThat(nodes.get(0).ownerOf(LOCK)).isEqualTo(lease.owner());
    }

    @Test
    void release_anotherProcessHasTheHandle_endsTheLeaseForBoth() throws InterruptedException {
        Lease lease = acquired();
        DetachedLease handle = lease.handle();
        Lease twin = other.attach(handle, OPTIONS);

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThatThrownBy(() -> client.attach(handle, OPTIONS)).isInstanceOf(LeaseLostException.class);
        assertThat(released(twin, Duration.ofSeconds(50))).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(nodes.get(0).node().timeLeft(LOCK)).isEqualTo(KEEP);
    }

    @Test
    void close_whileARetentionIsUnderWay_doesNotReleaseTheLock() {
        Lease lease = acquired();
        nodes.forEach(UnreliableNode::freeze);
        lease.releaseAsync(KEEP);

        client.close();
        nodes.forEach(UnreliableNode::thaw);
        time.settle();

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().timeLeft(LOCK)).isEqualTo(KEEP));
    }

    @Test
    void release_downgradedLease_admitsSharedHoldersOnly() {
        Lease lease = acquired();
        lease.downgradeAsync();
        time.settle();

        assertThat(released(lease, KEEP)).isEqualTo(ReleaseOutcome.RELEASED);

        CompletableFuture<Lease> reader = other.lock(LOCK, OPTIONS).shared().acquireAsync();
        time.settle();
        released(Completed.value(reader), Duration.ZERO);
        CompletableFuture<Lease> writer = other.lock(LOCK, OPTIONS).acquireAsync();
        time.advance(KEEP.minus(SLACK));
        assertThat(writer).isNotCompleted();
        time.advance(SLACK.multipliedBy(2));
        assertThat(writer).isCompleted();
    }

    @Test
    void status_retainedLock_namesItsLastHolderAndCanBeBroken() {
        Lease lease = acquired();
        nodes.forEach(node -> node.node()
                .admin()
                .annotate(Claim.acquire(LOCK, lease.owner(), LEASE, lease.fencingToken()), "the nightly job"));
        assertThat(status().retained()).isFalse();
        String holder = status().holder();

        released(lease, KEEP);

        assertThat(status().retained()).isTrue();
        assertThat(status().holder()).isEqualTo(holder);
        assertThat(status().note().text()).isEqualTo("the nightly job");
        assertThat(status().timeLeft()).isEqualTo(KEEP);
        assertThat(status().toString()).doesNotContain(lease.owner().token());
        admin().breakLock(LOCK);
        assertThat(acquired().isValid()).isTrue();
    }

    @Test
    void status_sharedLock_isRetainedWhenAllHoldersAre() {
        Lease lease = acquired();
        lease.downgradeAsync();
        CompletableFuture<Lease> reader = other.lock(LOCK, OPTIONS).shared().acquireAsync();
        time.settle();

        released(lease, KEEP);
        assertThat(status().retained()).isFalse();
        assertThat(status().shares()).isEqualTo(2);
        released(Completed.value(reader), KEEP);

        assertThat(status().retained()).isTrue();
    }

    @Test
    void release_multiLease_keepsAllLocks() {
        CompletableFuture<MultiLease> asked =
                MultiLock.of(client, List.of("a", "b"), OPTIONS).acquireAsync();
        time.settle();
        MultiLease leases = Completed.value(asked);
        assertThatThrownBy(() -> leases.release(LockOptions.MAX_LEASE.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(leases.isValid()).isTrue();

        leases.release(KEEP);
        leases.close();

        assertThat(leases.all()).allSatisfy(lease -> {
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(nodes.get(0).node().timeLeft(lease.resource())).isEqualTo(KEEP);
        });
    }

    private NodeLockStatus status() {
        return admin().status(LOCK).held().orElseThrow();
    }

    private LockAdmin admin() {
        List<InMemoryNode> behindTheNetwork =
                nodes.stream().map(UnreliableNode::node).toList();
        return Holdfast.forTesting(behindTheNetwork, time, new Random(3)).admin();
    }

    private ReleaseOutcome released(Lease lease, Duration keep) {
        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync(keep);
        time.settle();
        return Completed.value(outcome);
    }

    private Lease acquired() {
        return acquired(OPTIONS);
    }

    private Lease acquired(LockOptions options) {
        CompletableFuture<Lease> lease = client.lock(LOCK, options).acquireAsync();
        time.settle();
        Lease granted = Completed.value(lease);
        granted.onLost(losses::add);
        return granted;
    }
}
