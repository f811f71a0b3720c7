package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Leases that are extended beyond their length, with later renewals, a downgrade and a suspended machine. In virtual
 * time.
 */
class LeaseExtensionTest {

    private static final String RESOURCE = "order:42";
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofMinutes(10)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<Loss> losses = new ArrayList<>();

    @Test
    void extend_byLessThanTheRoundTakes_leavesTheLeaseHeld() {
        Lease lease = acquired(OPTIONS);
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));

        CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofMillis(10));
        time.advance(Duration.ofMillis(30));

        assertThat(extended).isCompletedWithValue(true);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void extendAsync_leaseHasEnded_failsWithTheExceptionItself() {
        Lease released = acquired(OPTIONS);
        released.release();
        List<Throwable> failures = new ArrayList<>();
        released.extendAsync(Duration.ofSeconds(1)).exceptionally(failure -> !failures.add(failure));
        Lease lost = acquired(OPTIONS);
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));
        lost.extendAsync(Duration.ofSeconds(1)).exceptionally(failure -> !failures.add(failure));
        lost.limit(Duration.ZERO);
        time.advance(Duration.ofSeconds(1));

        assertThat(failures).hasSize(2).hasOnlyElementsOfType(LeaseLostException.class);
    }

    @Test
    void renewal_afterAnExtensionBeyondTheLease_continues() {
        Lease lease = acquired(OPTIONS);
        assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();

        time.advance(Duration.ofMinutes(10));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(61);
    }

    @Test
    void renewal_afterEnsureBeyondTheLease_continues() {
        Lease lease = acquired(OPTIONS);
        lease.ensureValidFor(Duration.ofSeconds(45));

        time.advance(Duration.ofMinutes(10));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    /** The next lease of the process has the validity of the previous one. */
    @Test
    void renewal_handedOverAfterAnExtension_continues() {
        Lease extended = acquired(OPTIONS);
        extended.extend(Duration.ofMinutes(1));
        CompletableFuture<Lease> next = holdfast.lock(RESOURCE, OPTIONS).acquireAsync();
        time.settle();
        extended.release();
        time.settle();
        assertThat(Completed.value(next).owner()).isEqualTo(extended.owner());

        time.advance(Duration.ofMinutes(10));

        assertThat(Completed.value(next).state()).isEqualTo(LeaseState.HELD);
    }

    /** A long extension does not delay the report of a loss. */
    @Test
    void renewal_brokenAfterALongExtension_isNoticedAtTheNextRenewal() {
        Lease lease = acquired(OPTIONS);
        lease.extend(Duration.ofHours(1));
        nodes.forEach(node -> node.node().flush());

        time.advance(Duration.ofSeconds(11));

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void renewal_extendedUpToTheHoldLimit_endsThere() {
        Lease lease =
                acquired(OPTIONS.toBuilder().holdLimit(Duration.ofSeconds(70)).build());
        assertThat(lease.extend(Duration.ofSeconds(70))).isTrue();

        time.advance(Duration.ofSeconds(65));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(5));

        assertThat(losses).singleElement().extracting(Loss::reason).isEqualTo(LossReason.HOLD_LIMIT);
    }

    /** After the end of another shared hold, the lock lasts as long as the longest one, which the holder relies on. */
    @Test
    void downgrade_afterAnExtension_lastsAsLongAsTheLease() throws Exception {
        LockOptions unrenewed = OPTIONS.toBuilder().renewal(false).build();
        Lease reads = acquired(unrenewed);
        reads.extend(Duration.ofMinutes(1));
        assertThat(reads.downgrade()).isTrue();
        time.advance(Duration.ofSeconds(31));

        Lease guest = holdfast.lock(RESOURCE, unrenewed).shared().tryAcquire().orElseThrow();
        guest.close();

        assertThat(reads.state()).isEqualTo(LeaseState.HELD);
        assertThat(holdfast.lock(RESOURCE, unrenewed).tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(30));
        assertThat(holdfast.lock(RESOURCE, unrenewed).tryAcquire()).isPresent();
        assertThat(reads.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void downgrade_afterTheLoss_changesNothing() {
        Lease lease = acquired(OPTIONS.toBuilder().renewal(false).build());
        time.advance(OPTIONS.lease());

        assertThatThrownBy(lease::downgrade).isInstanceOf(LeaseLostException.class);

        assertThat(lease.isShared()).isFalse();
    }

    @Test
    void ensure_afterTheLoss_throwsForAnyDuration() {
        LockOptions brisk =
                OPTIONS.toBuilder().renewal(false).lease(Duration.ofMillis(60)).build();
        Lease lease = acquired(brisk);
        time.advance(Duration.ofMillis(60));

        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofMillis(1)))
                .isInstanceOf(LeaseLostException.class)
                .hasMessage("The lease on 'order:42' is lost");
        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ZERO)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofDays(1000))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void ensure_extensionBelowTheShortestLease_requestsTheShortest() {
        Lease lease = acquired(
                OPTIONS.toBuilder().renewal(false).lease(Duration.ofMillis(10)).build());
        time.advance(Duration.ofMillis(5));

        lease.ensureValidFor(Duration.ofMillis(5));

        assertThat(lease.remaining()).isGreaterThanOrEqualTo(Duration.ofMillis(5));
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(1);
    }

    @Test
    void ensure_justBelowTheLongestLease_requestsTheLongest() {
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();
        Holdfast bounded = Holdfast.over(nodes, options, time, new Random(9));
        CompletableFuture<Lease> granted = bounded.lock("bounded", OPTIONS).acquireAsync();
        time.settle();
        Lease lease = Completed.value(granted);

        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofMillis(59_900)))
                .isInstanceOf(LeaseLostException.class)
                .hasMessage(
                        "The lease on 'bounded' has 59398 ms left, not the 59900 ms asked for: an extension lasts at "
                                + "most"
                                + " maxLease PT1M, less drift and a round trip; ask for less, or raise maxLease for "
                                + "all clients");
        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofMillis(60_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("longer than maxLease");
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void ensureValidFor_withinTheHoldLimit_extendsAsFarAsThat() {
        Lease lease =
                acquired(OPTIONS.toBuilder().holdLimit(Duration.ofSeconds(61)).build());

        lease.ensureValidFor(Duration.ofSeconds(60).plusMillis(380));

        assertThat(lease.remaining())
                .isGreaterThanOrEqualTo(Duration.ofSeconds(60).plusMillis(380));
    }

    /** The monotonic clock stops while a machine is suspended, and its timers with it. */
    @Test
    void loss_machineWasSuspendedBeyondTheEnd_isReportedWithinAQuarterOfASecond() {
        acquired(OPTIONS);
        time.advance(Duration.ofSeconds(1));
        time.stepWallClock(Duration.ofMinutes(2));

        time.advance(Duration.ofMillis(250));

        assertThat(losses).hasSize(1);
    }

    @Test
    void renewal_machineWasSuspendedForMostOfTheLease_isSentAtOnce() {
        Lease lease = acquired(OPTIONS);
        time.stepWallClock(Duration.ofSeconds(25));

        time.advance(Duration.ofMillis(250));
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(1);
        time.advance(Duration.ofMinutes(1));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(7);
    }

    @Test
    void loss_machineWasSuspendedForLess_isReportedInTimeByTheWallClock() {
        acquired(OPTIONS.toBuilder().renewal(false).build());
        time.stepWallClock(Duration.ofSeconds(20));

        time.advance(Duration.ofSeconds(8));
        assertThat(losses).isEmpty();
        time.advance(Duration.ofMillis(700));

        assertThat(losses).hasSize(1);
    }

    private Lease acquired(LockOptions with) {
        CompletableFuture<Lease> lease = holdfast.lock(RESOURCE, with).acquireAsync();
        time.settle();
        Lease granted = Completed.value(lease);
        granted.onLost(losses::add);
        return granted;
    }
}
