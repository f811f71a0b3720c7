package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.event.Registration;
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
 * The hold limit of a lease that is moved while the lease is held, and callbacks that are unregistered, in virtual
 * time.
 */
class LeaseLimitTest {

    private static final String RESOURCE = "order:42";
    private static final LockOptions OPTIONS = LockOptions.DEFAULT;

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<Loss> losses = new ArrayList<>();

    /** The last extension is shorter than the interval of the renewals, since earlier ones were lost. */
    @Test
    void limit_raisedTwiceDuringTheLastRenewal_renewsAgain() {
        Lease lease = acquired(LockOptions.builder()
                .lease(Duration.ofSeconds(3))
                .holdLimit(Duration.ofMillis(3_300))
                .build());
        nodes.forEach(node -> node.loseNext(Claim.Action.EXTEND, 1_000));
        time.advance(Duration.ofMillis(2_400));
        nodes.forEach(node -> node.loseNext(Claim.Action.EXTEND, 0));
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));
        long before = nodes.get(0).received(Claim.Action.EXTEND);
        while (nodes.get(0).received(Claim.Action.EXTEND) == before) {
            time.advance(Duration.ofMillis(1));
        }

        lease.limit(Duration.ofHours(1));
        lease.limit(Duration.ofHours(2));
        time.advance(Duration.ofSeconds(20));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void limit_beyondTheLease_stopsRenewalsThere() {
        Lease lease = acquired(OPTIONS);
        lease.limit(Duration.ofSeconds(70));

        time.advance(Duration.ofSeconds(65));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(5));

        assertThat(losses).extracting(Loss::reason).containsExactly(LossReason.HOLD_LIMIT);
    }

    /** The nodes see no change, so the new holder has the time that the one before has confirmed. */
    @Test
    void holdLimit_leaseHandedOverWithMoreTime_endsTheMarginBefore() {
        LockOptions options = LockOptions.builder().lease(Duration.ofSeconds(3)).build();
        Lease first = acquired(options);
        first.extend(Duration.ofSeconds(30));
        CompletableFuture<Lease> waiting = holdfast.lock(
                        RESOURCE,
                        options.toBuilder().holdLimit(Duration.ofSeconds(4)).build())
                .acquireAsync();
        time.settle();
        first.release();
        time.settle();
        Lease second = Completed.value(waiting);
        second.onLost(losses::add);
        assertThat(second.remaining()).isEqualTo(Duration.ofSeconds(4));

        time.advance(Duration.ofSeconds(4));

        assertThat(losses).extracting(Loss::reason).containsExactly(LossReason.HOLD_LIMIT);
        assertThat(losses.get(0).overrun()).isZero();
    }

    @Test
    void limit_withinTheLease_endsItTheMarginBefore() {
        Lease lease = acquired(OPTIONS);
        lease.limit(Duration.ofSeconds(5));
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(5));

        time.advance(Duration.ofMillis(3_999));
        assertThat(lease.isValid()).isTrue();
        time.advance(Duration.ofMillis(1));

        assertThat(losses).extracting(Loss::reason).containsExactly(LossReason.HOLD_LIMIT);
        assertThat(losses.get(0).overrun()).isZero();
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isZero();
    }

    @Test
    void limit_zero_losesTheLeaseAtOnce() {
        Lease lease = acquired(OPTIONS);

        lease.limit(Duration.ZERO);

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void limit_unconfirmedRenewalsBeforeTheMovedLimit_nameTheLimit() {
        Lease lease = acquired(OPTIONS);
        nodes.forEach(UnreliableNode::down);
        lease.limit(Duration.ofSeconds(15));

        time.advance(Duration.ofSeconds(15));

        assertThat(losses).extracting(Loss::reason).containsExactly(LossReason.HOLD_LIMIT);
    }

    @Test
    void limit_raisedAfterTheLastRenewal_renewsAgain() {
        Lease lease =
                acquired(OPTIONS.toBuilder().holdLimit(Duration.ofSeconds(40)).build());
        time.advance(Duration.ofSeconds(35));

        lease.limit(Duration.ofMinutes(5));
        time.advance(Duration.ofMinutes(4));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(losses).isEmpty();
    }

    @Test
    void limit_removed_holdsForAsLongAsItIsRenewed() {
        Lease lease =
                acquired(OPTIONS.toBuilder().holdLimit(Duration.ofSeconds(40)).build());

        lease.limit(LockOptions.FOREVER.plusDays(1));
        time.advance(Duration.ofHours(1));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void limit_movedVeryOften_doesNotDelayTheRenewals() {
        Lease lease =
                acquired(LockOptions.builder().lease(Duration.ofSeconds(3)).build());

        for (int i = 0; i < 400; i++) {
            lease.limit(LockOptions.FOREVER);
            time.advance(Duration.ofMillis(50));
        }

        assertThat(lease.isValid()).isTrue();
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isBetween(18L, 22L);
    }

    @Test
    void extend_beyondTheMovedLimit_isNotAllowed() {
        Lease lease = acquired(OPTIONS);
        lease.limit(Duration.ofSeconds(45));

        assertThat(lease.extend(Duration.ofSeconds(46))).isFalse();
        assertThat(lease.extend(Duration.ofSeconds(45))).isTrue();
    }

    @Test
    void limit_afterTheRelease_throwsLost() {
        Lease lease = acquired(OPTIONS);
        lease.release();

        assertThatThrownBy(() -> lease.limit(Duration.ofSeconds(1))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void limit_negative_isRejected() {
        Lease lease = acquired(OPTIONS);

        assertThatThrownBy(() -> lease.limit(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit PT-1S is negative");
    }

    @Test
    void onLost_registrationClosed_isNotCalled() {
        Lease lease = acquired(OPTIONS);
        List<Loss> seen = new ArrayList<>();
        Registration registration = lease.onLost(seen::add);
        registration.close();
        registration.close();

        lease.limit(Duration.ZERO);
        time.settle();

        assertThat(seen).isEmpty();
        assertThat(losses).hasSize(1);
    }

    /** The loss has been reported to the executor, which has not run the callback yet. */
    @Test
    void onLost_registrationClosedBeforeTheCallbackRuns_isNotCalled() {
        Lease lease = acquired(OPTIONS);
        List<Loss> seen = new ArrayList<>();
        Registration registration = lease.onLost(seen::add);
        lease.limit(Duration.ZERO);

        registration.close();
        time.settle();

        assertThat(seen).isEmpty();
    }

    @Test
    void extendAsync_outOfRange_throwsAtOnce() {
        Lease lease = acquired(OPTIONS);

        assertThatThrownBy(() -> lease.extendAsync(Duration.ofMillis(1))).isInstanceOf(IllegalArgumentException.class);
    }

    private Lease acquired(LockOptions with) {
        CompletableFuture<Lease> lease = holdfast.lock(RESOURCE, with).acquireAsync();
        time.settle();
        Lease granted = Completed.value(lease);
        granted.onLost(losses::add);
        return granted;
    }
}
