package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.RestartPolicy;
import io.holdfast.UnreliableNode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Composed locks whose leases are lost, whose waits end and whose requests are refused, in virtual time. */
class ComposedLocksTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(10)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<String> events = new ArrayList<>();

    private final LeaderElection.Candidate candidate = new LeaderElection.Candidate() {
        @Override
        public void elected(Lease lease) {
            events.add("elected");
        }

        @Override
        public void resigned(Lease lease) {
            events.add("resigned");
        }

        @Override
        public void deposed(Loss loss) {
            events.add("deposed " + loss.reason());
        }
    };

    /** A node whose replies to extensions take as long as those of a distant server. */
    private static final class DistantNode extends ForwardingNode {

        private final VirtualTime time;

        DistantNode(VirtualTime time) {
            super(new InMemoryNode("distant", time));
            this.time = time;
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            if (claim.action() == Claim.Action.EXTEND) {
                time.advance(Duration.ofMillis(60));
            }
            return super.ask(claim);
        }
    }

    @Test
    void ensureValidFor_firstLeasesAgeWhileTheLastAreExtended_throws() {
        Holdfast client = Holdfast.forTesting(List.of(new DistantNode(time)), time, new Random(7));
        List<String> names = IntStream.range(0, 10).mapToObj(i -> "lock-" + i).toList();
        LockOptions brief = LockOptions.builder()
                .lease(Duration.ofSeconds(2))
                .nodeTimeout(Duration.ofMillis(200))
                .renewal(false)
                .build();
        CompletableFuture<MultiLease> all = MultiLock.of(client, names, brief).acquireAsync();
        time.settle();
        MultiLease leases = Completed.value(all);
        time.advance(Duration.ofMillis(300));

        assertThatThrownBy(() -> leases.ensureValidFor(Duration.ofMillis(1_900)))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("not the 1900 ms asked for");
        leases.ensureValidFor(Duration.ofMillis(500));
        client.close();
    }

    @Test
    void election_nodesFreezeAndThaw_isDeposedInTimeAndElectedAgain() {
        LeaderElection election = LeaderElection.start(holdfast.lock("leader"), candidate);
        time.settle();
        nodes.forEach(UnreliableNode::freeze);

        time.advance(Duration.ofSeconds(40));
        assertThat(events).containsExactly("elected", "deposed " + LossReason.QUORUM_UNREACHABLE);
        assertThat(election.leadership()).isEmpty();
        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofMinutes(1));

        assertThat(events).hasSize(3).endsWith("elected");
        assertThat(election.leadership()).isPresent();
    }

    /** For example by a worker that was given the lease. Otherwise the candidate would never take part again. */
    @Test
    void election_leaseIsClosedDuringTheTerm_resignsAndIsElectedAgain() {
        LeaderElection election = LeaderElection.start(holdfast.lock("leader"), candidate);
        time.settle();

        election.leadership().orElseThrow().close();
        time.advance(Duration.ofSeconds(11));

        assertThat(events).containsExactly("elected", "resigned", "elected");
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void election_holdfastCloses_isDeposedAndNotElectedAgain() {
        LeaderElection election = LeaderElection.start(holdfast.lock("leader"), candidate);
        time.settle();

        holdfast.close();
        time.advance(Duration.ofMinutes(1));

        assertThat(events).containsExactly("elected", "deposed " + LossReason.CLOSED);
        assertThat(election.leadership()).isEmpty();
    }

    /** An application's callbacks may block its executor for as long as they like. */
    @Test
    void compositions_callbackExecutorIsBusy_takeTheirLocks() {
        List<Runnable> tasks = new ArrayList<>();
        HoldfastOptions busy = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .callbackExecutor(tasks::add)
                .build();
        Holdfast client = Holdfast.over(nodes, busy, time, new Random(7));
        DistributedSemaphore semaphore = DistributedSemaphore.of(client, "pool", 2);

        List<CompletableFuture<Lease>> permits = List.of(semaphore.acquireAsync(), semaphore.acquireAsync());
        CompletableFuture<MultiLease> all =
                MultiLock.of(client, List.of("a", "b")).acquireAsync();
        LeaderElection.start(client.lock("leader"), candidate);
        time.advance(Duration.ofSeconds(1));

        for (String held : List.of("pool/1", "pool/2", "a", "b")) {
            assertThat(nodes.get(0).ownerOf(held)).as(held).isNotNull();
        }
        assertThat(events).containsExactly("elected");
        assertThat(all).isNotDone();
        List.copyOf(tasks).forEach(Runnable::run);
        assertThat(permits).allMatch(CompletableFuture::isDone);
        assertThat(all).isCompleted();
    }

    /** An acquire of a lock with these options fails after two seconds as well. */
    @Test
    void semaphore_nodesAreInQuarantine_failsWhenItsLimitIsOver() {
        List<UnreliableNode> restarted = List.of(
                UnreliableNode.guarded("x", time),
                UnreliableNode.guarded("y", time),
                UnreliableNode.guarded("z", time));
        Holdfast client = Holdfast.over(restarted, HoldfastOptions.DEFAULT, time, new Random(7));

        CompletableFuture<Lease> permit =
                DistributedSemaphore.of(client, "pool", 2).acquireAsync(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(4));

        assertThat(permit).isCompletedExceptionally();
    }

    @Test
    void semaphore_nodesAreSilentAtFirst_waitsForThem() {
        nodes.forEach(UnreliableNode::freeze);
        CompletableFuture<Lease> permit =
                DistributedSemaphore.of(holdfast, "pool", 2, OPTIONS).acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(permit).isNotDone();

        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofSeconds(1));

        assertThat(permit).isCompleted();
    }

    /** Each slot has the same nodes, so the limit is that of all attempts together. */
    @Test
    void semaphore_nodesAreSilent_failsWhenItsLimitIsOver() {
        nodes.forEach(UnreliableNode::freeze);
        LockOptions options =
                OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(2)).build();
        DistributedSemaphore semaphore = DistributedSemaphore.of(holdfast, "pool", 20, options);

        CompletableFuture<Lease> waiting = semaphore.acquireAsync();
        CompletableFuture<Optional<Lease>> tried = semaphore.tryAcquireAsync();
        CompletableFuture<Lease> derived = DistributedSemaphore.of(holdfast, "other", 20, LockOptions.DEFAULT)
                .acquireAsync(Duration.ofMillis(500));
        time.advance(Duration.ofMillis(800));
        assertThat(derived).isCompletedExceptionally();
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofMillis(1_500));

        assertThat(waiting).isCompletedExceptionally();
        assertThat(tried).isCompletedExceptionally();
    }

    @Test
    void multiLock_leaseLostDuringTheNextWait_isNotGranted() {
        Lease other = taken("b");
        CompletableFuture<MultiLease> all = MultiLock.of(
                        holdfast,
                        List.of("a", "b"),
                        OPTIONS.toBuilder()
                                .renewal(false)
                                .lease(Duration.ofSeconds(2))
                                .build())
                .acquireAsync();
        time.advance(Duration.ofSeconds(5));

        other.releaseAsync();
        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.failure(all)).isInstanceOf(LeaseLostException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("b")).isNull());
    }

    @Test
    void multiLock_waitLimitOver_coversTheWholeSet() {
        Lease first = taken("a");
        taken("b");
        CompletableFuture<MultiLease> all =
                MultiLock.of(holdfast, List.of("b", "a"), OPTIONS).acquireAsync();
        time.advance(Duration.ofSeconds(8));
        first.releaseAsync();
        time.advance(Duration.ofMillis(2_100));

        assertThat(Completed.failure(all))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'b' is held by another");
        nodes.forEach(node -> assertThat(node.ownerOf("a")).isNull());
    }

    /** Between one lock and the next, no acquisition is pending that the close would end. */
    @Test
    void multiLock_holdfastClosesBetweenTwoLocks_fails() {
        CompletableFuture<MultiLease> all =
                MultiLock.of(holdfast, List.of("a", "b"), OPTIONS).acquireAsync();

        holdfast.close();
        time.settle();

        assertThat(Completed.failure(all)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void multiLease_oneLost_notifiesOnceAndIsInvalid() {
        CompletableFuture<MultiLease> all =
                MultiLock.of(holdfast, List.of("a", "b"), OPTIONS).acquireAsync();
        time.settle();
        MultiLease leases = Completed.value(all);
        leases.onLost(loss -> events.add(loss.resource()));
        assertThat(leases.isValid()).isTrue();
        nodes.forEach(UnreliableNode::freeze);

        time.advance(Duration.ofSeconds(40));

        assertThat(events).hasSize(1);
        assertThat(leases.isValid()).isFalse();
        assertThat(leases.remaining()).isZero();
        assertThatThrownBy(() -> leases.of("c")).hasMessageContaining("'c' is not among the locks of [a, b]");
    }

    @Test
    void semaphore_allHeldUntilTheWaitIsOver_failsAndLeavesEveryQueue() {
        DistributedSemaphore semaphore = DistributedSemaphore.of(holdfast, "pool", 2, OPTIONS);
        CompletableFuture<Lease> one = semaphore.acquireAsync();
        time.settle();
        CompletableFuture<Lease> two = semaphore.acquireAsync();
        time.settle();
        CompletableFuture<Lease> three = semaphore.acquireAsync();
        time.advance(Duration.ofSeconds(11));

        assertThat(Completed.failure(three)).isInstanceOf(LockTimeoutException.class);
        Completed.value(one).releaseAsync();
        Completed.value(two).releaseAsync();
        time.advance(Duration.ofSeconds(1));

        nodes.forEach(node -> assertThat(node.ownerOf("pool/1")).isNull());
        nodes.forEach(node -> assertThat(node.ownerOf("pool/2")).isNull());
    }

    @Test
    void badInput_isRefusedWithTheRemedy() {
        assertThatThrownBy(() -> DistributedSemaphore.of(holdfast, "pool", 0))
                .hasMessage("A semaphore has 1 to 1000 permits, not 0; for more, split what it guards");
        assertThatThrownBy(() -> MultiLock.of(holdfast, List.of()))
                .hasMessage("resources is empty; give at least one name of a lock");
        assertThatThrownBy(() -> ReentrantDistributedLock.of(holdfast.lock("a")).newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private Lease taken(String resource) {
        CompletableFuture<Lease> lease = holdfast.lock(resource).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }

    @Test
    void readWriteLock_ofASharedLock_isRejected() {
        assertThatThrownBy(() -> ReentrantDistributedReadWriteLock.of(
                        holdfast.lock("catalogue").shared()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'catalogue'", "without shared()");
    }
}
