package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.RecordStore;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds that stay open while their votes do not decide them, in virtual time. */
class PatienceTest {

    private static final String LOCK = "a";
    private static final Duration MOMENT = Duration.ofMillis(1);
    /** The time of a busy client or server from a claim to its reply. */
    private static final Duration SLOW = Duration.ofMillis(300);

    private static final Duration ROUND = Duration.ofMillis(500);
    private static final Duration MINORITY = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = client(nodes);

    private Holdfast client(List<UnreliableNode> ofNodes) {
        return Holdfast.forTesting(ofNodes, time, new Random(1));
    }

    private void slow() {
        nodes.forEach(node -> node.latency(SLOW.dividedBy(2)));
    }

    private Lease held() {
        CompletableFuture<Lease> lease = client.lock(LOCK).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }

    /** Asserts that a result is there exactly after this time. */
    private void assertDoneAfter(Duration after, CompletableFuture<?> result) {
        time.advance(after.minus(MOMENT));
        assertThat(result).isNotDone();
        time.advance(MOMENT);
        assertThat(result).isDone();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void tryAcquire_slowNodes_isGranted(int count) {
        List<UnreliableNode> some = UnreliableNode.several(count, time);
        some.forEach(node -> node.latency(SLOW.dividedBy(2)));
        some.subList(count / 2 + 1, count).forEach(UnreliableNode::freeze);

        CompletableFuture<Optional<Lease>> lease = client(some).lock(LOCK).tryAcquireAsync();

        assertDoneAfter(SLOW, lease);
        assertThat(Completed.value(lease)).isPresent();
    }

    @Test
    void tryAcquire_majorityFrozen_throwsAfterHalfASecond() {
        nodes.subList(1, 3).forEach(UnreliableNode::freeze);

        CompletableFuture<?> lease = client.lock(LOCK).tryAcquireAsync();

        assertDoneAfter(ROUND, lease);
        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void acquire_limitShorterThanARound_waitsForTheVerdict() {
        slow();

        CompletableFuture<Lease> lease = client.lock(LOCK).acquireAsync(Duration.ofMillis(100));

        assertDoneAfter(SLOW, lease);
        assertThat(lease).isCompletedWithValueMatching(Lease::isValid);
    }

    @Test
    void semaphore_slowNodes_isGranted() {
        slow();

        CompletableFuture<?> permit = DistributedSemaphore.of(client, LOCK, 5).tryAcquireAsync();

        assertDoneAfter(SLOW, permit);
        assertThat(permit).isCompletedWithValueMatching(lease -> ((Optional<?>) lease).isPresent());
    }

    /** All permits are on the same nodes, so one round is enough. */
    @Test
    void semaphore_majorityFrozen_throwsAfterHalfASecond() {
        nodes.subList(1, 3).forEach(UnreliableNode::freeze);

        CompletableFuture<?> permit = DistributedSemaphore.of(client, LOCK, 20).tryAcquireAsync();

        assertDoneAfter(ROUND, permit);
        assertThat(Completed.failure(permit)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void multiLock_slowNodes_isGranted() {
        slow();

        CompletableFuture<Optional<MultiLease>> leases =
                MultiLock.of(client, List.of(LOCK, "b")).tryAcquireAsync();

        assertDoneAfter(SLOW.multipliedBy(2), leases);
        assertThat(Completed.value(leases)).isPresent();
    }

    @Test
    void extend_slowNodes_isConfirmed() {
        Lease lease = held();
        slow();

        CompletableFuture<Boolean> extended = lease.extendAsync(LONG);

        assertDoneAfter(SLOW, extended);
        assertThat(extended).isCompletedWithValue(true);
    }

    /** A confirmation after the loss would be ignored. */
    @Test
    void extend_silentNodesAndLittleTime_endsWithTheLease() {
        Lease lease = held();
        lease.limit(Duration.ofMillis(1_200));
        nodes.forEach(UnreliableNode::freeze);

        CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofSeconds(1));

        assertDoneAfter(Duration.ofMillis(200), extended);
        assertThat(Completed.failure(extended)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void downgrade_slowNodes_isConfirmed() {
        Lease lease = held();
        slow();

        CompletableFuture<Boolean> downgraded = lease.downgradeAsync();

        assertDoneAfter(SLOW, downgraded);
        assertThat(downgraded).isCompletedWithValue(true);
    }

    @Test
    void release_slowNodes_isConfirmed() {
        Lease lease = held();
        slow();

        CompletableFuture<ReleaseOutcome> released = lease.releaseAsync();

        assertDoneAfter(SLOW, released);
        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
    }

    /** Three nodes, each of which answers a request about a record when another 100 ms have passed. */
    private Holdfast withSlowRecords() {
        return Holdfast.forTesting(
                Stream.of("x", "y", "z")
                        .map(name -> new InMemoryNode(name, time))
                        .map(SlowRecords::new)
                        .toList(),
                time,
                new Random(1));
    }

    private final class SlowRecords extends ForwardingNode {

        SlowRecords(InMemoryNode node) {
            super(node);
        }

        @Override
        public RecordStore records() {
            time.advance(SLOW.dividedBy(3));
            return super.records();
        }
    }

    @Test
    void record_slowNodes_isReadAndWritten() {
        try (Holdfast slow = withSlowRecords()) {
            CompletableFuture<Lease> lease = slow.lock(LOCK).acquireAsync();
            time.settle();
            HeldRecord record = Completed.value(lease).record();
            record.read();

            assertThat(record.write("done", Duration.ofDays(1))).isTrue();
            assertThat(record.read().text()).isEqualTo("done");
        }
    }

    @Test
    void administration_slowNodes_isAnswered() {
        try (Holdfast slow = withSlowRecords()) {
            assertThat(slow.admin().record(LOCK).isCompleteSince(Instant.EPOCH)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 3", "100, 33", "300, 100", "1500, 500", "60000, 500"})
    void nodeTimeout_derived_isAThirdOfTheLeaseOrHalfASecond(long lease, long timeout) {
        LockOptions options =
                LockOptions.builder().lease(Duration.ofMillis(lease)).build();

        assertThat(options.nodeTimeout().toMillis()).isEqualTo(timeout);
    }

    /** A grant that comes later would be of no use. */
    @ParameterizedTest
    @ValueSource(longs = {10, 12, 15, 20})
    void nodeTimeout_derivedFromAShortLeaseWithMuchDrift_isBelowTheValidity(long lease) {
        LockOptions options = LockOptions.builder()
                .lease(Duration.ofMillis(lease))
                .driftShare(0.5)
                .waitLimit(Duration.ZERO)
                .build();
        nodes.forEach(
                node -> node.latency(options.nodeTimeout().minusNanos(100_000).dividedBy(2)));

        CompletableFuture<Lease> granted = client.lock(LOCK, options).acquireAsync();
        time.advance(options.nodeTimeout());

        assertThat(granted).isCompletedWithValueMatching(Lease::isValid);
    }

    private static LockOptions given(long millis) {
        return LockOptions.builder().nodeTimeout(Duration.ofMillis(millis)).build();
    }

    @ParameterizedTest
    @ValueSource(longs = {20, 120, 3_000})
    void nodeTimeout_given_boundsAnAttemptExactly(long millis) {
        nodes.subList(1, 3).forEach(UnreliableNode::freeze);

        CompletableFuture<?> lease = client.lock(LOCK, given(millis)).tryAcquireAsync();

        assertDoneAfter(Duration.ofMillis(millis), lease);
    }

    @ParameterizedTest
    @ValueSource(longs = {20, 120, 3_000})
    void nodeTimeout_given_boundsAnAttemptWithSplitVotesExactly(long millis) {
        LockOptions options = given(millis);
        splitVotes();
        client.lock(LOCK, options).acquireAsync();

        time.advance(options.nodeTimeout().minus(MOMENT));
        assertThat(isOpen()).isTrue();
        time.advance(MOMENT);

        assertThat(isOpen()).isFalse();
    }

    @Test
    void nodeTimeout_given_boundsARenewal() {
        CompletableFuture<Lease> lease = client.lock(LOCK, given(20)).acquireAsync();
        time.settle();
        nodes.forEach(UnreliableNode::freeze);

        time.advance(LONG.plusMillis(20 + 400));

        assertThat(Completed.value(lease).state().isValid()).isTrue();
        assertThat(nodes.get(0).received(Claim.Action.EXTEND)).isGreaterThan(1);
    }

    /** One node is held by another client, one is free, and one does not answer. */
    private void splitVotes() {
        nodes.get(0).ask(Claim.acquire(LOCK, new Owner("stranger"), Duration.ofMinutes(5), new FencingToken(1_000)));
        nodes.get(2).freeze();
    }

    /** Returns whether the attempt stands on the node that has granted it; it is withdrawn at the end of its round. */
    private boolean isOpen() {
        return nodes.get(1).ownerOf(LOCK) != null;
    }

    /** A frozen node delays a contended lock no longer than it always did. */
    @Test
    void attempt_splitVotesAndAFrozenNode_endsAfterFiftyMilliseconds() {
        splitVotes();
        client.lock(LOCK).tryAcquireAsync();

        time.advance(MINORITY.minus(MOMENT));
        assertThat(isOpen()).isTrue();
        time.advance(MOMENT);

        assertThat(isOpen()).isFalse();
    }

    @Test
    void attempt_splitVotesAndADistantNode_waitsForItsVote() {
        nodes.get(2).latency(MINORITY);
        client.lock("other").acquireAsync();
        time.advance(ROUND);
        nodes.get(0).ask(Claim.acquire(LOCK, new Owner("stranger"), Duration.ofMinutes(5), new FencingToken(1_000)));

        CompletableFuture<Optional<Lease>> lease = client.lock(LOCK).tryAcquireAsync();

        assertDoneAfter(MINORITY.multipliedBy(2), lease);
        assertThat(Completed.value(lease)).isPresent();
    }

    /** The node has thawed and replied late, then at once; what counts is its last reply. */
    @Test
    void attempt_nodeIsFastAgain_waitsForAShortTimeAgain() {
        nodes.get(2).freeze();
        client.lock("other").acquireAsync();
        time.advance(SLOW);
        nodes.get(2).thaw();
        client.lock("another").acquireAsync();
        time.settle();

        attempt_splitVotesAndAFrozenNode_endsAfterFiftyMilliseconds();
    }

    @Test
    void attempt_nodeHasRepliedLate_isGivenMoreTime() {
        nodes.get(2).freeze();
        client.lock("other").acquireAsync();
        time.advance(MINORITY);
        nodes.get(2).thaw();
        splitVotes();
        client.lock(LOCK).tryAcquireAsync();

        time.advance(MINORITY.multipliedBy(2).minus(MOMENT));
        assertThat(isOpen()).isTrue();
        time.advance(MOMENT);

        assertThat(isOpen()).isFalse();
    }

    /** A busy client receives all replies late, so the third comes late as well. */
    @Test
    void attempt_majorityRepliesLateWithSplitVotes_waitsAsLongForTheMinority() {
        nodes.get(0).ask(Claim.acquire(LOCK, new Owner("stranger"), Duration.ofMinutes(5), new FencingToken(1_000)));
        nodes.subList(0, 2).forEach(node -> node.latency(Duration.ofMillis(75)));
        nodes.get(2).latency(Duration.ofMillis(100));

        CompletableFuture<Optional<Lease>> lease = client.lock(LOCK).tryAcquireAsync();

        assertDoneAfter(Duration.ofMillis(200), lease);
        assertThat(Completed.value(lease)).isPresent();
    }
}
