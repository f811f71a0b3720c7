package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.WakeUp;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters whose claims stand on the nodes: a release grants the lock to the next one. */
class StandingClaimTest {

    private static final String LOCK = "a";
    private static final Duration LATENCY = Duration.ofMillis(5);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration LEASE = Duration.ofMinutes(1);
    /** The hand-over limit and an exchange. */
    private static final Duration UNTIL_EXTENDED = Duration.ofMillis(20).plus(LATENCY.multipliedBy(2));

    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(LEASE)
            .waitLimit(Duration.ofHours(1))
            .retryDelays(Duration.ofMillis(20), Duration.ofSeconds(20))
            .build();

    /** The nodes have replied at once before, so this is the least time that they are given. */
    private static final Duration USUAL_REPLY = Duration.ofMillis(50);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private int clients;

    private Holdfast client() {
        return Holdfast.forTesting(List.<LockNode>copyOf(nodes), time, new Random(++clients));
    }

    private CompletableFuture<Lease> ask(LockOptions options) {
        CompletableFuture<Lease> lease = client().lock(LOCK, options).acquireAsync();
        time.advance(LATENCY.multipliedBy(8));
        return lease;
    }

    private void connect() {
        nodes.forEach(UnreliableNode::relayNotifications);
        nodes.forEach(node -> node.latency(LATENCY));
    }

    /** The next attempt begins as soon as this one is refused, while its claim stands on the nodes. */
    @Test
    void attempt_majorityNotifiesDuringTheRoundBefore_withdrawsTheClaimOfThatRound() {
        nodes.forEach(UnreliableNode::enableNotifications);
        nodes.forEach(node -> node.latency(LATENCY));
        Completed.value(ask(OPTIONS));
        ask(OPTIONS);
        nodes.forEach(node -> node.received().clear());

        nodes.forEach(node -> node.notifyClients(LOCK));
        time.advance(MOMENT);
        nodes.forEach(node -> node.notifyClients(LOCK));
        time.advance(LATENCY.multipliedBy(4));

        List<Claim> received = nodes.get(0).received();
        List<Owner> attempts = ownersOf(received, Claim.Action.ACQUIRE);
        assertThat(attempts).hasSize(2);
        assertThat(ownersOf(received, Claim.Action.RELEASE)).contains(attempts.get(0));
    }

    private static List<Owner> ownersOf(List<Claim> claims, Claim.Action action) {
        return claims.stream()
                .filter(claim -> claim.action() == action)
                .map(Claim::owner)
                .toList();
    }

    @Test
    void release_waiterIsQueued_handsOverInOneRoundTrip() {
        connect();
        Lease first = Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> second = ask(OPTIONS);

        first.releaseAsync();
        time.advance(LATENCY.multipliedBy(2).minusNanos(1));
        assertThat(second).isNotCompleted();
        time.advance(Duration.ofNanos(1));

        assertThat(Completed.value(second).fencingToken()).isGreaterThan(first.fencingToken());
    }

    /** Each client but the first learns that it is next when the lock changes hands, and renews its claim. */
    @Test
    void release_manyWaiters_eachHandOverTakesOneRoundTrip() {
        connect();
        Lease holder = Completed.value(ask(OPTIONS));
        List<CompletableFuture<Lease>> waiters = List.of(ask(OPTIONS), ask(OPTIONS), ask(OPTIONS));

        for (CompletableFuture<Lease> next : waiters) {
            time.advance(LATENCY.multipliedBy(2));
            holder.releaseAsync();
            time.advance(LATENCY.multipliedBy(2));
            holder = Completed.value(next);
        }
    }

    /** The client that has released the lock waits for it again when the node timeout of its grant is over. */
    @Test
    void release_clientWaitsAgain_makesNoFurtherAttempt() {
        connect();
        Lease first = Completed.value(ask(OPTIONS));
        Holdfast client = client();
        LockOptions slow =
                OPTIONS.toBuilder().nodeTimeout(Duration.ofMillis(300)).build();
        CompletableFuture<Lease> second = client.lock(LOCK, slow).acquireAsync();
        time.advance(LATENCY.multipliedBy(8));
        first.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        Lease third = handedOverFrom(Completed.value(second));
        CompletableFuture<Lease> again = client.lock(LOCK, slow).acquireAsync();
        time.advance(LATENCY.multipliedBy(8));
        Claim standing = lastClaim();

        time.advance(slow.nodeTimeout());

        assertThat(lastClaim()).isEqualTo(standing);
        third.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        assertThat(again).isCompleted();
    }

    private Lease handedOverFrom(Lease lease) {
        CompletableFuture<Lease> next = ask(OPTIONS);
        lease.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        return Completed.value(next);
    }

    @Test
    void release_claimIsOld_waiterClaimsTheLockItself() {
        connect();
        Lease first = Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> second = ask(OPTIONS);
        time.advance(Claim.STANDING_TTL);

        first.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        assertThat(second).isNotCompleted();
        time.advance(LATENCY.multipliedBy(2));

        assertThat(second).isCompleted();
    }

    @Test
    void release_firstWaiterHangs_nextIsGrantedAfterTheStandingTtl() {
        connect();
        Lease first = Completed.value(ask(OPTIONS));
        ask(OPTIONS);
        nodes.forEach(UnreliableNode::forgetClients);
        CompletableFuture<Lease> second = ask(OPTIONS);

        first.releaseAsync();
        time.advance(Claim.STANDING_TTL);
        assertThat(second).isNotCompleted();
        time.advance(LATENCY.multipliedBy(8));

        assertThat(second).isCompleted();
    }

    @Test
    void acquire_standingClaimIsGranted_leaseIsShortUntilItsFirstRenewal() {
        connect();
        Lease second = handedOver(OPTIONS);

        assertThat(second.remaining()).isLessThan(Claim.STANDING_TTL);
        time.advance(UNTIL_EXTENDED);

        assertThat(second.remaining()).isGreaterThan(LEASE.minusSeconds(1));
    }

    @Test
    void acquire_standingClaimIsGrantedWithoutRenewal_leaseIsExtendedOnce() {
        connect();
        Lease second = handedOver(OPTIONS.toBuilder().renewal(false).build());

        time.advance(UNTIL_EXTENDED);

        assertThat(second.remaining()).isGreaterThan(LEASE.minusSeconds(1));
        time.advance(LEASE);
        assertThat(second.isValid()).isFalse();
    }

    @Test
    void ensureValidFor_standingClaimIsGranted_extendsTheLease() {
        connect();
        nodes.forEach(node -> node.latency(Duration.ZERO));
        Lease second = handedOver(OPTIONS);

        second.ensureValidFor(Duration.ofSeconds(30));

        assertThat(second.remaining()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    }

    /** The process that attaches the lease may take as long as the lease is. */
    @Test
    void detach_standingClaimIsGranted_nodesKeepTheLockForTheLease() {
        connect();
        Lease second = handedOver(OPTIONS);

        second.detach();
        time.advance(LATENCY);

        assertThat(nodes).allSatisfy(node -> assertThat(node.timeLeft(LOCK)).isGreaterThan(LEASE.minusSeconds(1)));
    }

    private Lease handedOver(LockOptions options) {
        Lease first = Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> second = ask(options);
        first.releaseAsync();
        time.advance(LATENCY.multipliedBy(2));
        return Completed.value(second);
    }

    @Test
    void wake_grantsOfDifferentAttempts_doNotCountTogether() {
        nodes.forEach(UnreliableNode::enableNotifications);
        Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> waiting = ask(OPTIONS);
        Claim older = lastClaim();
        notifyAllClients(WakeUp.reserved(LOCK, older.fence()));
        time.settle();
        Claim newer = lastClaim();

        nodes.get(0).notifyClients(WakeUp.granted(older));
        nodes.get(1).notifyClients(WakeUp.granted(newer));
        time.settle();
        assertThat(waiting).isNotCompleted();
        nodes.get(0).notifyClients(WakeUp.granted(newer));
        time.settle();

        assertThat(waiting)
                .isCompletedWithValueMatching(lease -> lease.fencingToken().equals(newer.fence()));
    }

    /** A node timeout of seconds is a patience with silent nodes, and no reason to wait for a split vote. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wake_oneNodeGrants_anotherAttemptFollowsAfterAUsualReply(boolean hasNodeTimeout) {
        nodes.forEach(UnreliableNode::enableNotifications);
        LockOptions options = hasNodeTimeout
                ? OPTIONS.toBuilder().nodeTimeout(Duration.ofSeconds(5)).build()
                : OPTIONS;
        Completed.value(ask(options));
        CompletableFuture<Lease> waiting = ask(options);
        Claim standing = lastClaim();

        nodes.get(0).notifyClients(WakeUp.granted(standing));
        time.advance(USUAL_REPLY.minus(MOMENT));
        assertThat(lastClaim()).isEqualTo(standing);
        time.advance(MOMENT);

        assertThat(waiting).isNotCompleted();
        assertThat(lastClaim()).isNotEqualTo(standing);
        assertThat(nodes)
                .allSatisfy(node ->
                        assertThat(node.received()).contains(standing.withdraw().withRequeue(true)));
    }

    /** The nodes keep the lock for a time that counts from when they grant it, and the client counts from its claim. */
    @Test
    void wake_grantArrivesLate_isNotReliedOn() {
        nodes.forEach(UnreliableNode::enableNotifications);
        Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> waiting = ask(OPTIONS);
        Claim standing = lastClaim();
        time.advance(Claim.STANDING_TTL.multipliedBy(2).dividedBy(3).minus(OPTIONS.margin()));

        notifyAllClients(WakeUp.granted(standing));
        time.settle();

        assertThat(waiting).isNotCompleted();
        assertThat(lastClaim()).isNotEqualTo(standing);
    }

    @Test
    void cancel_claimStands_isWithdrawn() {
        connect();
        Lease first = Completed.value(ask(OPTIONS));
        CompletableFuture<Lease> second = ask(OPTIONS);

        second.cancel(true);
        time.advance(LATENCY);
        first.releaseAsync();
        time.advance(LATENCY);

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    private Claim lastClaim() {
        List<Claim> claims = nodes.get(2).received().stream()
                .filter(claim -> claim.action() == Claim.Action.ACQUIRE)
                .toList();
        return claims.get(claims.size() - 1);
    }

    private void notifyAllClients(WakeUp wake) {
        nodes.forEach(node -> node.notifyClients(wake));
    }
}
