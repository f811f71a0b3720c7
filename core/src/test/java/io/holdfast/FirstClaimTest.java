package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The first claim of a waiter has a position in the wait queues only if the nodes will probably refuse it. */
class FirstClaimTest {

    private static final String LOCK = "a";
    private static final Duration LATENCY = Duration.ofMillis(1);
    private static final Duration ROUND_TRIP = LATENCY.multipliedBy(2);
    private static final Duration LONG = Duration.ofSeconds(1);

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast one = client(1);
    private final Holdfast other = client(2);

    @BeforeEach
    void connect() {
        nodes.forEach(UnreliableNode::relayNotifications);
        nodes.forEach(node -> node.latency(LATENCY));
    }

    private Holdfast client(int seed) {
        return Holdfast.forTesting(List.<LockNode>copyOf(nodes), time, new Random(seed));
    }

    private CompletableFuture<Lease> ask(Holdfast client) {
        return client.lock(LOCK, OPTIONS).acquireAsync();
    }

    private Lease hold(Holdfast client) {
        CompletableFuture<Lease> lease = ask(client);
        time.advance(ROUND_TRIP);
        return Completed.value(lease);
    }

    private void release(Lease lease) {
        lease.releaseAsync();
        time.advance(ROUND_TRIP);
    }

    /** Lets one client wait for the other, and release the lock. */
    private void contend() {
        Lease first = hold(other);
        CompletableFuture<Lease> second = ask(one);
        time.advance(ROUND_TRIP.multipliedBy(2));
        release(first);
        release(Completed.value(second));
        nodes.forEach(node -> node.received().clear());
    }

    private List<Claim> received(Claim.Action action) {
        return nodes.get(0).received().stream()
                .filter(claim -> claim.action() == action)
                .toList();
    }

    @Test
    void acquire_freeLock_hasNoPosition() {
        hold(one);

        assertThat(received(Claim.Action.ACQUIRE)).singleElement().matches(claim -> claim.ticket() == null);
    }

    @Test
    void acquire_lockWasContendedLately_hasAPositionAndStands() {
        contend();
        Lease held = hold(other);
        nodes.forEach(node -> node.received().clear());
        CompletableFuture<Lease> waiting = ask(one);
        time.advance(ROUND_TRIP);

        release(held);

        assertThat(waiting).isCompleted();
        assertThat(received(Claim.Action.ACQUIRE)).hasSize(1);
        assertThat(received(Claim.Action.RELEASE)).hasSize(1);
    }

    @Test
    void acquire_lockIsFreeAgain_onlyTheNextClaimHasAPosition() {
        contend();

        release(hold(one));
        release(hold(one));

        assertThat(received(Claim.Action.ACQUIRE))
                .extracting(claim -> claim.ticket() != null)
                .containsExactly(true, false);
    }

    @Test
    void acquire_lockWasContendedLongAgo_hasNoPosition() {
        contend();
        time.advance(LONG);

        hold(one);

        assertThat(received(Claim.Action.ACQUIRE)).singleElement().matches(claim -> claim.ticket() == null);
    }

    /** One node has lost the lock of the holder, so the claim does not stand. */
    @Test
    void acquire_firstClaimIsGrantedByAMinority_isRepeatedAtOnce() {
        contend();
        hold(other);
        nodes.get(0).node().evict();
        nodes.forEach(node -> node.received().clear());

        ask(one);
        time.advance(ROUND_TRIP.multipliedBy(3));

        assertThat(received(Claim.Action.ACQUIRE)).hasSize(2);
    }

    /** Such a claim does not stand, and another client may have had the lock since the first one. */
    @Test
    void acquire_noPosition_eachClaimProposesThePresent() {
        nodes.forEach(UnreliableNode::disableNotifications);
        hold(other);
        nodes.forEach(node -> node.received().clear());

        ask(one);
        time.advance(Duration.ofMillis(400));

        List<Claim> claims = received(Claim.Action.ACQUIRE);
        assertThat(claims).hasSizeGreaterThan(1);
        long first = claims.get(0).fence().value();
        assertThat(claims.get(claims.size() - 1).fence().value() - first).isGreaterThan(10_000);
    }
}
