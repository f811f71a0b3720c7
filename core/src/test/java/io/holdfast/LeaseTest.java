package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.Claim;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lease from its grant to its end, in virtual time: renewal, extension, loss, release. */
class LeaseTest {

    private static final String RESOURCE = "order:42";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration VALIDITY = Duration.ofMillis(30_000 - 300 - 2);
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final LockOptions options = LockOptions.builder().lease(LEASE).build();
    private final List<Loss> losses = new ArrayList<>();

    @Test
    void renewal_healthyNodes_extendsTheLeaseFarBeyondItsLength() {
        Lease lease = acquired(options);

        time.advance(Duration.ofHours(1));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.remaining()).isGreaterThan(LEASE.dividedBy(2));
    }

    /** Row 15: no busy loop. */
    @Test
    void renewal_healthyNodes_extendsEveryThirdOfTheLease() {
        acquired(options);

        time.advance(LEASE.multipliedBy(10));

        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(30);
    }

    /** Row 29: timers do not multiply with the locks that were held before. */
    @Test
    void renewal_afterManyShortLeases_extendsTheHeldOneOnly() {
        for (int i = 0; i < 1_000; i++) {
            acquired(options).releaseAsync();
        }
        acquired(options);

        time.advance(Duration.ofSeconds(31));

        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(3);
    }

    @Test
    void renewal_manyLeasesOfAboutTheSameTime_areExtendedTogether() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            leases.add(acquired("order:" + i, options));
            time.advance(Duration.ofMillis(1));
        }

        time.advance(LEASE.multipliedBy(2));

        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(500 * 6);
        List<Integer> together = nodes.get(0).batchSizes();
        assertThat(together).hasSizeLessThan(10 * 6);
        assertThat(together.stream().mapToInt(Integer::intValue).sum()).isEqualTo(500 * 6);
    }

    /**
     * While there is time, a late confirmation is as good as an early one, and a repetition makes a slow node or client
     * slower.
     */
    @Test
    void renewal_repliesAfterTheNodeTimeout_stillCount() {
        Lease lease = acquired(options);
        nodes.forEach(node -> node.latency(Duration.ofMillis(400)));

        time.advance(Duration.ofSeconds(12));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.remaining()).isGreaterThan(LEASE.dividedBy(2));
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(1);
    }

    /** A node that was too slow for a batch is sent the batch again, not each claim by itself. */
    @Test
    void renewal_manyFailTogether_areRepeatedTogether() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            leases.add(acquired("order:" + i, options));
        }
        nodes.forEach(node -> node.loseNext(Claim.Action.EXTEND, 100));

        time.advance(Duration.ofSeconds(12));

        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(200);
        assertThat(nodes.get(0).batchSizes()).hasSizeLessThan(20);
    }

    /** Leases that are extended in one batch end independently. */
    @Test
    void renewal_oneOfManyRemoved_losesThatOneOnly() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leases.add(acquired("order:" + i, options));
        }
        Claim removal = Claim.acquire(
                        "order:3", leases.get(3).owner(), LEASE, leases.get(3).fencingToken())
                .release();
        nodes.forEach(node -> node.node().ask(removal));

        time.advance(LEASE);

        assertThat(leases).filteredOn(lease -> lease.state() == LeaseState.LOST).containsExactly(leases.get(3));
    }

    /** Row 15: one failed extension is not a loss. */
    @Test
    void renewal_oneFailure_isRepeatedWithinTheLease() {
        Lease lease = acquired(options);
        nodes.forEach(node -> node.loseNext(Claim.Action.EXTEND, 1));

        time.advance(Duration.ofSeconds(10));
        assertThat(lease.state()).isEqualTo(LeaseState.UNCERTAIN);
        time.advance(Duration.ofMillis(400));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(losses).isEmpty();
    }

    @Test
    void renewal_tokenAndOwner_stayTheSame() {
        Lease lease = acquired(options);
        FencingToken token = lease.fencingToken();

        time.advance(Duration.ofMinutes(5));

        assertThat(lease.fencingToken()).isEqualTo(token);
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isEqualTo(lease.owner());
    }

    /** Row 13: a local timer reports the loss before the validity ends, although every node hangs. */
    @Test
    void loss_allNodesFrozen_isReportedTheMarginBeforeTheValidityEnds() {
        Lease lease = acquired(options);
        nodes.forEach(UnreliableNode::freeze);

        time.advance(VALIDITY.minus(MARGIN).minusMillis(1));
        assertThat(losses).isEmpty();
        time.advance(Duration.ofMillis(1));

        assertThat(losses).containsExactly(new Loss(RESOURCE, LossReason.QUORUM_UNREACHABLE, Duration.ZERO));
        assertThat(lease.lossMargin()).isEqualTo(MARGIN);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.remaining()).isZero();
    }

    /** Rows 14 and 57: loss is final, and renewal stops. */
    @Test
    void loss_nodesThawAfterwards_staysLostAndIsNotRenewed() {
        Lease lease = acquired(options);
        nodes.forEach(UnreliableNode::freeze);
        time.advance(LEASE);
        nodes.forEach(UnreliableNode::thaw);
        long asked = nodes.get(0).received(Claim.Action.EXTEND);

        time.advance(LEASE.multipliedBy(3));

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(asked);
        assertThat(losses).hasSize(1);
    }

    @Test
    void loss_processPausedBeyondTheEnd_isReportedOnResumptionWithTheOverrun() {
        Lease lease = acquired(options);

        time.pause(VALIDITY.plusSeconds(7));

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        time.settle();
        assertThat(losses).containsExactly(new Loss(RESOURCE, LossReason.EXPIRED, Duration.ofSeconds(7)));
    }

    /** Row 20: the monotonic clock of a suspended machine stops. */
    @Test
    void state_afterAWallClockJumpBeyondTheEnd_isLost() {
        Lease lease = acquired(options);

        time.stepWallClock(LEASE);

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void loss_takenOverOnAMajority_isReportedAtTheNextRenewal() {
        Lease lease = acquired(options);
        FencingToken above = new FencingToken(lease.fencingToken().value() + 1_000);
        Claim thief = Claim.acquire(RESOURCE, new Owner("thief"), Duration.ofHours(1), above);
        nodes.subList(0, 2).forEach(node -> {
            node.ask(claimOf(lease).release());
            node.ask(thief);
        });
        nodes.get(0).ask(thief);

        time.advance(Duration.ofSeconds(11));

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.TAKEN);
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isEqualTo(new Owner("thief"));
    }

    @Test
    void loss_removedFromAMajority_isReportedAtTheNextRenewalAndCreatesNothing() {
        Lease lease = acquired(options);
        nodes.subList(0, 2).forEach(node -> node.ask(claimOf(lease).release()));

        time.advance(Duration.ofSeconds(11));

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.EXPIRED);
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNull();
    }

    @Test
    void loss_renewalOff_isReportedAtTheEndOfTheLease() {
        acquired(options.toBuilder().renewal(false).build());

        time.advance(LEASE);

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.EXPIRED);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isZero();
    }

    /** Invariant 16: no hold is longer than its limit. */
    @Test
    void loss_holdLimitReached_isReportedBeforeIt() {
        Lease lease =
                acquired(options.toBuilder().holdLimit(Duration.ofSeconds(70)).build());

        time.advance(Duration.ofSeconds(60));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(10));

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.HOLD_LIMIT);
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNull();
    }

    @Test
    void onLost_registeredAfterTheLoss_isCalledOnce() {
        Lease lease = acquired(options.toBuilder().renewal(false).build());
        time.advance(LEASE);
        List<Loss> late = new ArrayList<>();

        lease.onLost(late::add);
        time.advance(LEASE);

        assertThat(late).hasSize(1);
    }

    @Test
    void close_ofTheHoldfast_releasesAndNotifiesTheHolder() {
        acquired(options);

        holdfast.close();
        time.settle();

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.CLOSED);
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(RESOURCE)).isNull());
    }

    /**
     * Whatever the holder did with the lease has ended with its client, so the next holder need not wait for the nodes.
     */
    @Test
    void close_ofTheHoldfastAfterTheLoss_removesTheLockFromTheNodes() {
        Lease lease = acquired(options);
        lease.limit(Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNotNull();

        holdfast.close();

        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNull();
    }

    @Test
    void close_ofTheHoldfastAfterTheLossOfAnExtendedLease_removesTheLockFromTheNodes() {
        Lease lease = acquired(options);
        lease.extend(LEASE.multipliedBy(3));
        lease.limit(Duration.ZERO);
        time.advance(LEASE.multipliedBy(2));
        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNotNull();

        holdfast.close();

        assertThat(nodes.get(0).ownerOf(RESOURCE)).isNull();
    }

    @Test
    void extend_healthyNodes_lengthensAndNeverShortens() {
        Lease lease = acquired(options);

        assertThat(lease.extend(Duration.ofMinutes(10))).isTrue();
        Duration longer = lease.remaining();
        assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();

        assertThat(longer).isGreaterThan(Duration.ofMinutes(9));
        assertThat(lease.remaining()).isEqualTo(longer);
    }

    /** Row 2: an extension, too, counts from before it was sent. */
    @Test
    void extend_slowNodes_validityCountsFromBeforeTheSend() {
        Lease lease = acquired(options.toBuilder().renewal(false).build());
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));
        CompletableFuture<Boolean> extended = lease.extendAsync(LEASE).toCompletableFuture();

        time.advance(Duration.ofMillis(20));

        assertThat(extended).isCompletedWithValue(true);
        assertThat(lease.remaining()).isEqualTo(VALIDITY.minusMillis(20));
    }

    @Test
    void extend_beyondTheHoldLimit_isDeclined() {
        Lease lease =
                acquired(options.toBuilder().holdLimit(Duration.ofSeconds(70)).build());

        assertThat(lease.extend(Duration.ofSeconds(71))).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void extend_afterTheLoss_throws() {
        Lease lease = acquired(options.toBuilder().renewal(false).build());
        time.advance(LEASE);

        assertThatThrownBy(() -> lease.extend(LEASE)).isInstanceOf(LeaseLostException.class);
    }

    /** Row 11: an expired lock is not created again. */
    @Test
    void extend_confirmationAfterTheValidity_doesNotRevive() {
        Lease lease = acquired(options.toBuilder().renewal(false).build());
        nodes.forEach(node -> node.latency(Duration.ofMillis(20)));
        time.advance(VALIDITY.minus(MARGIN).minusMillis(10));
        CompletableFuture<Boolean> extended = lease.extendAsync(LEASE).toCompletableFuture();

        time.advance(Duration.ofMillis(50));

        assertThat(extended).isCompletedExceptionally();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void ensure_enoughLeft_sendsNothing() {
        Lease lease = acquired(options);

        lease.ensureValidFor(Duration.ofSeconds(20));

        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isZero();
    }

    @Test
    void ensureValidFor_tooLittleLeft_extends() {
        Lease lease = acquired(options);

        lease.ensureValidFor(Duration.ofMinutes(2));

        assertThat(lease.remaining()).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void ensure_nodesDown_reportsTheTimeLeft() {
        Lease lease = acquired(options);
        nodes.forEach(UnreliableNode::down);

        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofMinutes(2)))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("could not be extended");
    }

    @Test
    void downgrade_withAHoldLimit_doesNotOutliveIt() {
        Lease lease =
                acquired(options.toBuilder().holdLimit(Duration.ofSeconds(40)).build());
        time.advance(Duration.ofSeconds(25));

        CompletableFuture<Boolean> downgraded = lease.downgradeAsync().toCompletableFuture();
        time.settle();

        assertThat(downgraded).isCompletedWithValue(true);
        assertThat(lease.isShared()).isTrue();
        time.advance(Duration.ofSeconds(15));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(losses).extracting(Loss::reason).containsExactly(LossReason.HOLD_LIMIT);
    }

    @Test
    void downgrade_nodesFreezeAtThatMoment_isRenewedAsShared() {
        Lease lease = acquired(options);
        nodes.forEach(UnreliableNode::freeze);
        CompletableFuture<Boolean> downgraded = lease.downgradeAsync().toCompletableFuture();
        time.advance(Duration.ofSeconds(1));
        assertThat(downgraded).isCompletedWithValue(false);

        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofMinutes(2));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        nodes.forEach(node -> assertThat(String.valueOf(node.ownerOf(RESOURCE)))
                .isNotEqualTo(lease.owner().toString()));
    }

    @Test
    void release_held_isConfirmedAndStopsTheRenewal() {
        Lease lease = acquired(options);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        time.advance(Duration.ofMinutes(5));

        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isZero();
        assertThat(losses).isEmpty();
    }

    /** The lock belongs to another process then, so its release from here is refused. */
    @Test
    void call_bodyDetachesTheLease_returns() throws InterruptedException {
        DetachedLease detached = holdfast.lock(RESOURCE, options).call(lease -> {
            DetachedLease handle = lease.detach();
            lease.close();
            return handle;
        });

        assertThat(holdfast.attach(detached, options).isValid()).isTrue();
    }

    /**
     * The process is stopped at each reading of the clock in turn: a lease that was lost then is not taken for a
     * released one.
     */
    @Test
    void run_stoppedBesideItsEnd_throwsIfTheLeaseIsLost() throws InterruptedException {
        StoppingTime stopping = new StoppingTime();
        Holdfast stopped = Holdfast.forTesting(nodes, stopping, new Random(7));
        List<LeaseState> ends = new ArrayList<>();
        for (int reading = 1; reading <= 12; reading++) {
            Lease[] used = new Lease[1];
            boolean thrown = false;
            stopping.left = 0;
            int stop = reading;
            try {
                stopped.lock(RESOURCE, options).run(lease -> {
                    used[0] = lease;
                    stopping.left = stop;
                });
            } catch (LeaseLostException e) {
                thrown = true;
            }
            assertThat(thrown || used[0].state() != LeaseState.LOST)
                    .as("stopped at reading " + reading)
                    .isTrue();
            ends.add(used[0].state());
        }
        assertThat(ends).contains(LeaseState.LOST, LeaseState.RELEASED);
    }

    /** Row 22: the release of an expired lock does not throw. */
    @Test
    void release_afterTheLoss_returnsNotHeld() {
        Lease lease = acquired(options.toBuilder().renewal(false).build());
        time.advance(LEASE);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void release_nodesSilent_isUnconfirmedAndGoesOn() {
        Lease lease = acquired(options);
        nodes.forEach(node -> node.loseNext(Claim.Action.RELEASE, 2));
        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync().toCompletableFuture();
        time.settle();
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);

        time.advance(Duration.ofSeconds(2));

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(RESOURCE)).isNull());
    }

    @Test
    void release_wallClockIsSetForwardWhileNodesAreSilent_goesOn() {
        Lease lease = acquired(options);
        nodes.forEach(node -> node.loseNext(Claim.Action.RELEASE, 2));
        lease.releaseAsync();
        time.settle();

        time.stepWallClock(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(2));

        assertThat(nodes)
                .allSatisfy(
                        node -> assertThat(node.received(Claim.Action.RELEASE)).isEqualTo(3));
    }

    @Test
    void release_twice_returnsTheFirstOutcomeAndSendsOneRelease() {
        Lease lease = acquired(options);

        assertThat(lease.release()).isEqualTo(lease.release());
        assertThat(nodes.get(0).received(Claim.Action.RELEASE)).isEqualTo(1);
    }

    /** Row 16: a renewal that is under way during the release leaves nothing. */
    @Test
    void release_whileARenewalIsUnderWay_leavesNothing() {
        Lease lease = acquired(options);
        nodes.forEach(UnreliableNode::freeze);
        time.advance(Duration.ofSeconds(10));
        CompletableFuture<ReleaseOutcome> released = lease.releaseAsync().toCompletableFuture();

        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofMinutes(5));

        assertThat(released).isCompleted();
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.ownerOf(RESOURCE)).isNull();
            assertThat(node.received(Claim.Action.EXTEND)).isEqualTo(1);
        });
    }

    /** Row 8: the release is sent to all nodes, including one that never granted the lock. */
    @Test
    void release_nodeThatAnsweredLate_isReleasedToo() {
        nodes.get(2).freeze();
        Lease lease = acquired(options);
        lease.releaseAsync();

        nodes.get(2).thaw();
        time.settle();

        assertThat(nodes.get(2).ownerOf(RESOURCE)).isNull();
    }

    /** The time of a process that is stopped for two leases when it reads the clock for the given time. */
    private final class StoppingTime extends ForwardingTime {

        private int left;

        StoppingTime() {
            super(time);
        }

        @Override
        public Moment now() {
            if (left > 0 && --left == 0) {
                time.pause(LEASE.multipliedBy(2));
            }
            return time.now();
        }
    }

    private static Claim claimOf(Lease lease) {
        return Claim.acquire(lease.resource(), lease.owner(), LEASE, lease.fencingToken());
    }

    private Lease acquired(LockOptions with) {
        return acquired(RESOURCE, with);
    }

    private Lease acquired(String resource, LockOptions with) {
        CompletableFuture<Lease> lease = holdfast.lock(resource, with).acquireAsync();
        time.settle();
        Lease granted = Completed.value(lease);
        granted.onLost(losses::add);
        return granted;
    }
}
