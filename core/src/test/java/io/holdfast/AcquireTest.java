package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules 1 to 6 of the algorithm, in virtual time. */
class AcquireTest {

    private static final String RESOURCE = "order:42";
    private static final Claim FOREIGN =
            Claim.acquire(RESOURCE, new Owner("stranger"), Duration.ofSeconds(5), new FencingToken(1_000));

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(5, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final LockOptions options =
            LockOptions.builder().lease(Duration.ofSeconds(10)).build();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void acquire_freeLock_isGrantedByAllNodesOfAnyNumber(int count) {
        List<UnreliableNode> some = UnreliableNode.several(count, time);

        Lease lease = acquired(Holdfast.forTesting(some, time, new Random(1)), options);

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(some).allSatisfy(node -> assertThat(node.ownerOf(RESOURCE)).isEqualTo(lease.owner()));
    }

    @Test
    void acquire_noLatency_isValidForTheLeaseLessDrift() {
        assertThat(acquired().remaining()).isEqualTo(Duration.ofMillis(10_000 - 100 - 2));
    }

    /** Row 3 of the known faults: the elapsed time counts from before the first claim was sent. */
    @Test
    void acquire_slowNodes_validityCountsFromBeforeTheSend() {
        nodes.forEach(node -> node.latency(Duration.ofMillis(10)));
        CompletableFuture<Lease> lease = start(options);

        time.advance(Duration.ofMillis(20));

        assertThat(Completed.value(lease).remaining()).isEqualTo(Duration.ofMillis(10_000 - 100 - 2 - 20));
    }

    /** Row 2: a lock is never returned after the end of its validity. */
    @Test
    void acquire_repliesAfterTheValidity_isReleasedAndNotGranted() {
        LockOptions tight = options.toBuilder()
                .lease(Duration.ofMillis(100))
                .nodeTimeout(Duration.ofMillis(90))
                .build();
        nodes.forEach(node -> node.latency(Duration.ofMillis(44)));
        CompletableFuture<Lease> lease =
                start(tight.toBuilder().waitLimit(Duration.ZERO).build());
        time.advance(Duration.ofMillis(86));
        time.pause(Duration.ofMillis(10));
        time.advance(Duration.ofSeconds(1));

        assertThatThrownBy(lease::get).hasCauseInstanceOf(QuorumUnreachableException.class);
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(RESOURCE)).isNull());
    }

    @Test
    void acquire_minorityDown_neitherFailsNorWaits() {
        nodes.get(0).down();
        nodes.get(3).freeze();
        CompletableFuture<Lease> lease = start(options);

        time.settle();

        assertThat(lease).isCompleted();
    }

    /** Row 5: an even tie settles, with all partial locks gone. */
    @Test
    void acquire_splitVoteOfFour_settlesAndLeavesNothing() {
        List<UnreliableNode> four = UnreliableNode.several(4, time);
        four.get(0).ask(FOREIGN);
        four.get(1).ask(FOREIGN);
        Holdfast split = Holdfast.forTesting(four, time, new Random(1));
        CompletableFuture<Lease> lease = split.lock(
                        RESOURCE, options.toBuilder().waitLimit(Duration.ZERO).build())
                .acquireAsync();
        time.advance(Duration.ofSeconds(4));

        assertThatThrownBy(lease::get).hasCauseInstanceOf(LockTimeoutException.class);
        assertThat(four.get(2).ownerOf(RESOURCE)).isNull();
        assertThat(four.get(3).ownerOf(RESOURCE)).isNull();
    }

    @Test
    void acquire_majorityDown_failsWithEachNodesVote() {
        nodes.subList(0, 3).forEach(UnreliableNode::down);
        CompletableFuture<Lease> lease =
                start(options.toBuilder().waitLimit(Duration.ofSeconds(2)).build());
        time.advance(Duration.ofSeconds(3));

        assertThatThrownBy(lease::get)
                .cause()
                .isInstanceOf(QuorumUnreachableException.class)
                .hasMessageContaining("majority of 3 of 5")
                .hasMessageContaining("node-a: not connected")
                .hasMessageContaining("node-c: not connected");
    }

    @Test
    void acquire_heldUntilTheWaitLimit_reportsTheRemainingHold() {
        nodes.forEach(node -> node.ask(FOREIGN));
        CompletableFuture<Lease> lease =
                start(options.toBuilder().waitLimit(Duration.ofSeconds(1)).build());
        time.advance(Duration.ofSeconds(2));

        assertThatThrownBy(lease::get).cause().isInstanceOfSatisfying(LockTimeoutException.class, failure -> {
            assertThat(failure.remainingHold()).hasValue(Duration.ofSeconds(4));
            assertThat(failure.resource()).isEqualTo(RESOURCE);
            assertThat(failure.replies()).isNotEmpty();
        });
    }

    /** No node announces an expiry: the attempt follows right after the majority's time left. */
    @Test
    void acquire_holderExpires_isGrantedRightAfterTheExpiry() {
        LockOptions lazy = options.toBuilder()
                .retryDelays(Duration.ofSeconds(20), Duration.ofSeconds(20))
                .build();
        nodes.forEach(node -> node.ask(FOREIGN));
        CompletableFuture<Lease> lease = start(lazy);

        time.advance(Duration.ofMillis(5_002));

        assertThat(lease).isCompleted();
    }

    /** Row 7: no partial lock is left between attempts. */
    @Test
    void acquire_failedRound_isReleasedOnAllNodesBeforeTheNext() {
        nodes.subList(0, 3).forEach(node -> node.ask(FOREIGN));
        start(options);
        time.settle();

        assertThat(nodes.get(3).ownerOf(RESOURCE)).isNull();
        assertThat(nodes.get(4).ownerOf(RESOURCE)).isNull();
        assertThat(nodes)
                .allSatisfy(
                        node -> assertThat(node.received(Claim.Action.RELEASE)).isEqualTo(1));
    }

    /** Rows 8 and 9: a claim that a frozen node carries out late is released. */
    @Test
    void acquire_lateClaim_isReleasedWhenTheNodeAnswersAgain() {
        nodes.forEach(UnreliableNode::freeze);
        CompletableFuture<Lease> lease =
                start(options.toBuilder().waitLimit(Duration.ZERO).build());
        time.advance(Duration.ofSeconds(1));
        assertThat(lease).isCompletedExceptionally();

        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofSeconds(1));

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(RESOURCE)).isNull());
    }

    /** Row 8: the release does not depend on the caller. */
    @Test
    void acquire_cancelledWhileTheRoundIsUnderWay_leavesNothing() {
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        CompletableFuture<Lease> lease = start(options);
        time.advance(Duration.ofMillis(7));
        lease.cancel(true);
        time.advance(Duration.ofSeconds(1));

        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.received(Claim.Action.ACQUIRE)).isEqualTo(1);
            assertThat(node.ownerOf(RESOURCE)).isNull();
        });
    }

    /** Row 9: the release of an unknown outcome is repeated until the node acknowledges it. */
    @Test
    void acquire_releaseIsLost_isSentAgainUntilAcknowledged() {
        UnreliableNode last = nodes.get(4);
        nodes.subList(0, 3).forEach(node -> node.ask(FOREIGN));
        last.loseNext(Claim.Action.RELEASE, 3);
        start(options.toBuilder().waitLimit(Duration.ZERO).build());
        time.settle();
        assertThat(last.ownerOf(RESOURCE)).isNotNull();

        time.advance(Duration.ofSeconds(3));

        assertThat(last.ownerOf(RESOURCE)).isNull();
        assertThat(last.received(Claim.Action.RELEASE)).isEqualTo(4);
    }

    @Test
    void acquire_unreachedNode_isNotSwept() {
        nodes.get(4).down();
        nodes.subList(0, 3).forEach(node -> node.ask(FOREIGN));
        start(options.toBuilder().waitLimit(Duration.ZERO).build());

        time.advance(Duration.ofSeconds(30));

        assertThat(nodes.get(4).received(Claim.Action.RELEASE)).isEqualTo(1);
    }

    /** Row 17: an owner is unguessable and belongs to one attempt. */
    @Test
    void acquire_everyAttempt_hasItsOwnOwnerAndFence() {
        nodes.forEach(node -> node.ask(FOREIGN));
        start(options.toBuilder().waitLimit(Duration.ofSeconds(2)).build());
        time.advance(Duration.ofSeconds(3));

        Set<Owner> owners = new HashSet<>();
        Set<FencingToken> fences = new HashSet<>();
        List<Claim> attempts = nodes.get(0).received().stream()
                .filter(claim -> claim.action() == Claim.Action.ACQUIRE && !claim.equals(FOREIGN))
                .toList();
        attempts.forEach(claim -> {
            owners.add(claim.owner());
            fences.add(claim.fence());
        });
        assertThat(attempts).hasSizeGreaterThan(3);
        assertThat(owners).hasSameSizeAs(attempts);
        assertThat(fences).hasSameSizeAs(attempts);
        assertThat(owners)
                .allSatisfy(owner -> assertThat(owner.token().length()).isGreaterThan(25));
    }

    @Test
    void acquire_staleFence_proposesAboveItOnceAtOnce() {
        FencingToken future = new FencingToken(time.now().wallMicros() + 5_000_000);
        Claim ahead = Claim.acquire(RESOURCE, new Owner("ahead"), Duration.ofSeconds(5), future);
        nodes.forEach(node -> {
            node.ask(ahead);
            node.ask(ahead.release());
        });

        CompletableFuture<Lease> lease =
                start(options.toBuilder().waitLimit(Duration.ZERO).build());
        time.settle();

        assertThat(lease)
                .isCompletedWithValueMatching(granted -> granted.fencingToken().isAbove(future));
    }

    @Test
    void tryAcquire_heldByAnother_isEmptyAfterOneRound() throws InterruptedException {
        nodes.forEach(node -> node.ask(FOREIGN));

        assertThat(holdfast.lock(RESOURCE).tryAcquire()).isEmpty();
        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isEqualTo(2);
    }

    @Test
    void close_duringAWait_endsTheWait() {
        nodes.forEach(node -> node.ask(FOREIGN));
        CompletableFuture<Lease> waiting = start(options);

        holdfast.close();
        time.settle();

        assertThat(waiting).isCompletedExceptionally();
        assertThat(nodes).allMatch(UnreliableNode::isClosed);
    }

    @Test
    void acquire_interruptedBefore_throwsAndSendsNothing() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> holdfast.lock(RESOURCE, options).acquire())
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining(RESOURCE);

        time.settle();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(nodes)
                .allSatisfy(
                        node -> assertThat(node.received(Claim.Action.ACQUIRE)).isZero());
    }

    private CompletableFuture<Lease> start(LockOptions with) {
        return holdfast.lock(RESOURCE, with).acquireAsync();
    }

    private Lease acquired() {
        return acquired(holdfast, options);
    }

    private Lease acquired(Holdfast from, LockOptions with) {
        CompletableFuture<Lease> lease = from.lock(RESOURCE, with).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }
}
