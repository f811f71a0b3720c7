package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases whose owner another process knows: detached, or with a shared handle. In virtual time. */
class DetachedLeaseTest {

    private static final String RESOURCE = "order:42";
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofMinutes(10)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast first = Holdfast.forTesting(nodes, time, new Random(7));
    private final Holdfast second = Holdfast.forTesting(nodes, time, new Random(8));

    /** The close of a lost lease cannot know whether the other process still holds the lock. */
    @Test
    void close_afterTheLossOfASharedHandle_leavesTheLockToTheOtherProcess() throws Exception {
        Lease lease = acquired();
        Lease attached = second.attach(lease.handle(), OPTIONS);
        lease.limit(Duration.ZERO);
        time.settle();

        lease.close();
        time.advance(Duration.ofMinutes(1));

        assertThat(attached.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void close_afterDetach_leavesTheLockToTheNextProcess() throws Exception {
        Lease begun = acquired();
        DetachedLease handle = begun.detach();
        begun.close();

        Lease resumed = second.attach(handle, OPTIONS);
        time.advance(Duration.ofMinutes(1));

        assertThat(resumed.state()).isEqualTo(LeaseState.HELD);
        nodes.forEach(node -> assertThat(node.ownerOf(RESOURCE)).isEqualTo(resumed.owner()));
    }

    /** No other process has received a handle. */
    @Test
    void close_afterADetachOfALostLease_removesTheLock() {
        Lease lease = acquired();
        lease.limit(Duration.ZERO);
        assertThatThrownBy(lease::detach).isInstanceOf(LeaseLostException.class);

        lease.close();
        time.settle();

        nodes.forEach(node -> assertThat(node.ownerOf(RESOURCE)).isNull());
    }

    @Test
    void release_afterDetach_sendsNothingAndReturnsNotHeld() {
        Lease lease = acquired();
        lease.detach();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);

        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(nodes).allMatch(node -> node.received(Claim.Action.RELEASE) == 0);
    }

    @Test
    void closeOfTheHoldfast_afterDetach_sendsNothing() {
        acquired().detach();

        first.close();
        time.settle();

        assertThat(nodes).allMatch(node -> node.received(Claim.Action.RELEASE) == 0);
    }

    /** Only a release of this lease ends it for both, and this lease has ended by a loss. */
    @Test
    void closeOfTheHoldfast_afterTheLossOfASharedHandle_leavesTheLockToTheOtherProcess() throws Exception {
        Lease lease = acquired();
        Lease resumed = second.attach(lease.handle(), OPTIONS);
        lease.limit(Duration.ZERO);
        time.settle();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);

        first.close();
        time.advance(Duration.ofMinutes(1));

        assertThat(resumed.state()).isEqualTo(LeaseState.HELD);
    }

    /** The node that has lost the lock answers after the detach: this process repairs nothing. */
    @Test
    void detach_renewalUnderWay_isNeitherRepeatedNorRepaired() {
        Lease lease = acquired();
        nodes.get(2).node().flush();
        nodes.forEach(UnreliableNode::freeze);
        time.advance(Duration.ofSeconds(10));
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(1);

        lease.detach();
        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofSeconds(35));

        assertThat(nodes).allMatch(node -> node.received(Claim.Action.EXTEND) == 1);
        assertThat(nodes).allMatch(node -> node.received(Claim.Action.REPAIR) == 0);
    }

    @Test
    void detach_twice_throwsAndTheHandleStaysReadable() {
        Lease lease = acquired();
        DetachedLease handle = lease.detach();

        assertThatThrownBy(lease::detach).isInstanceOf(LeaseLostException.class);
        assertThat(lease.handle()).isEqualTo(handle);
    }

    @Test
    void release_sharedHandleAndALocalWaiter_endsTheAttachedLease() throws Exception {
        Lease lease = acquired();
        Lease resumed = second.attach(lease.handle(), OPTIONS);
        CompletableFuture<Lease> waiter = first.lock(RESOURCE, OPTIONS).acquireAsync();
        time.settle();

        lease.release();
        time.advance(Duration.ofSeconds(20));

        assertThat(Completed.value(waiter).owner()).isNotEqualTo(lease.owner());
        assertThat(resumed.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void release_attachedLeaseAndALocalWaiter_endsTheOriginalLease() throws Exception {
        Lease lease = acquired();
        Lease resumed = first.attach(DetachedLease.parse(lease.handle().text()), OPTIONS);
        CompletableFuture<Lease> waiter = first.lock(RESOURCE, OPTIONS).acquireAsync();
        time.settle();

        resumed.release();
        time.advance(Duration.ofSeconds(20));

        assertThat(Completed.value(waiter).owner()).isNotEqualTo(lease.owner());
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void downgrade_sharedHandle_staysExclusiveInTheOtherProcessUntilItsNextExtension() throws Exception {
        Lease lease = acquired();
        Lease resumed = second.attach(lease.handle(), OPTIONS);

        lease.downgradeAsync();
        time.settle();
        CompletableFuture<Lease> reader = first.lock(RESOURCE, OPTIONS).shared().acquireAsync();
        time.settle();
        assertThat(reader).isCompleted();
        assertThat(resumed.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(11));

        assertThat(resumed.state()).isEqualTo(LeaseState.LOST);
    }

    /** After the release, the owner may belong to the next lease of this process. */
    @Test
    void handle_afterTheRelease_throws() {
        Lease lease = acquired();
        lease.release();

        assertThatThrownBy(lease::handle).isInstanceOf(LeaseLostException.class).hasMessageContaining("is released");
    }

    /** The owner of a shared lock is no secret, so a handle with it would take the lock from its holders. */
    @ParameterizedTest
    @ValueSource(strings = {"holdfast:shared", "holdfast:other", "secret:retained"})
    void parse_reservedOwner_isRejected(String reserved) {
        String own = acquired().handle().text();
        String forged = own.substring(0, own.lastIndexOf(':') + 1) + reserved;

        assertThatThrownBy(() -> DetachedLease.parse(forged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The handle of a lease looks like hf1:...");
    }

    private Lease acquired() {
        CompletableFuture<Lease> lease = first.lock(RESOURCE, OPTIONS).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }
}
