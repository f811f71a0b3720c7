package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease outlives an interruption of its client for almost a third of its time, however it was granted. */
class InterruptionTest {

    private static final String LOCK = "a";
    private static final Duration LATENCY = Duration.ofMillis(1);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration HAND_OVER_LIMIT = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofMillis(1_200);
    private static final int PHASES = 60;

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private LockOptions options = leaseOf(Duration.ofSeconds(30));
    private int clients;

    private static LockOptions leaseOf(Duration lease) {
        return LockOptions.builder().lease(lease).waitLimit(Duration.ofHours(1)).build();
    }

    /** The nodes store the lease for a short time, and the client extends it when it cannot be handed over any more. */
    @Test
    void handOver_processIsPausedAtOnce_keepsTheLease() {
        Lease lease = handedOver();

        time.pause(PAUSE);

        assertKept(lease);
    }

    @Test
    void handOver_clientIsCutOffAtOnce_keepsTheLease() {
        Lease lease = handedOver();

        interrupt(Duration.ofSeconds(1), node -> node.silent(true), node -> node.silent(false));

        assertKept(lease);
    }

    @Test
    void handOver_processIsPausedWhileTheExtensionIsUnderWay_keepsTheLease() {
        Lease lease = handedOver();
        time.advance(HAND_OVER_LIMIT);

        time.pause(PAUSE);

        assertKept(lease);
    }

    @Test
    void handOver_clientIsCutOffAfterTheExtension_keepsTheLeaseForAThird() {
        Lease lease = handedOver();
        time.advance(HAND_OVER_LIMIT.plus(LATENCY.multipliedBy(2)));

        interrupt(almostAThird(), node -> node.silent(true), node -> node.silent(false));

        assertKept(lease);
    }

    /** Most leases of a contended lock are released before. The timer may fire after half of the limit. */
    @Test
    void handOver_leaseIsReleasedWithinTheHandOverLimit_costsNoExtension() {
        Lease lease = handedOver();
        time.advance(HAND_OVER_LIMIT.dividedBy(2).minus(MOMENT));

        lease.releaseAsync();
        time.advance(PAUSE);

        assertThat(nodes)
                .allSatisfy(
                        node -> assertThat(node.received(Claim.Action.EXTEND)).isZero());
    }

    @ParameterizedTest
    @ValueSource(longs = {300, 1_000, 2_000, 3_000, 10_000, 30_000})
    void renewal_clientIsCutOffAtAnyTime_keepsTheLease(long millis) {
        options = leaseOf(Duration.ofMillis(millis));
        for (int phase = 0; phase < PHASES; phase++) {
            Lease lease = received(granted());
            time.advance(options.lease().multipliedBy(phase).dividedBy(PHASES));

            interrupt(almostAThird(), node -> node.silent(true), node -> node.silent(false));

            assertKept(lease);
            lease.releaseAsync();
            time.advance(options.lease());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {300, 1_000, 2_000, 3_000, 10_000, 30_000})
    void renewal_connectionsAreClosedAtAnyTime_keepsTheLease(long millis) {
        options = leaseOf(Duration.ofMillis(millis));
        for (int phase = 0; phase < PHASES; phase++) {
            Lease lease = received(granted());
            time.advance(options.lease().multipliedBy(phase).dividedBy(PHASES));

            interrupt(almostAThird(), UnreliableNode::down, UnreliableNode::up);

            assertKept(lease);
            lease.releaseAsync();
            time.advance(options.lease());
        }
    }

    /** The interval counts from the same moment as the validity, also after slow replies. */
    @Test
    void renewal_slowReplies_beginsAThirdAfterTheLastOneWasSent() {
        received(granted());
        nodes.forEach(node -> node.latency(Duration.ofMillis(400)));

        time.advance(options.lease().multipliedBy(2).dividedBy(3));

        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isEqualTo(2);
    }

    /** The thread of the waiter runs when the lease that it was offered is nearly over. */
    @Test
    void handOver_threadOfTheWaiterWakesLate_acquiresAgain() {
        Holdfast client = client();
        CompletableFuture<Lease> holder = client.lock(LOCK, options).acquireAsync();
        time.settle();
        Lease first = received(holder);
        CompletableFuture<Lease> second = client.lock(LOCK, options).acquireAsync();
        time.settle();
        first.releaseAsync();

        time.pause(Duration.ofSeconds(28));
        time.advance(LATENCY.multipliedBy(10));

        assertKept(received(second));
        assertThat(received(second).owner()).isNotEqualTo(first.owner());
    }

    private Lease handedOver() {
        connect();
        Lease first = received(granted());
        CompletableFuture<Lease> second = granted();
        first.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        nodes.forEach(node -> node.received().clear());
        return received(second);
    }

    private static Lease received(CompletableFuture<Lease> lease) {
        return Completed.value(lease);
    }

    private CompletableFuture<Lease> granted() {
        CompletableFuture<Lease> lease = client().lock(LOCK, options).acquireAsync();
        time.advance(LATENCY.multipliedBy(4));
        return lease;
    }

    private Holdfast client() {
        return Holdfast.forTesting(List.<LockNode>copyOf(nodes), time, new Random(++clients));
    }

    private void connect() {
        nodes.forEach(UnreliableNode::relayNotifications);
        nodes.forEach(node -> node.latency(LATENCY));
    }

    private Duration almostAThird() {
        return options.lease().dividedBy(3).minus(MOMENT);
    }

    private void interrupt(Duration length, Consumer<UnreliableNode> begin, Consumer<UnreliableNode> end) {
        nodes.forEach(begin);
        time.advance(length);
        nodes.forEach(end);
    }

    private void assertKept(Lease lease) {
        time.advance(options.lease());
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }
}
