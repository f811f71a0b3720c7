package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.UnreliableNode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the composed locks do when a lease is lost or a wait ends, in virtual time. */
class ComposedLocksTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(10)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<String> told = new ArrayList<>();

    private final LeaderElection.Candidate candidate = new LeaderElection.Candidate() {
        @Override
        public void elected(Lease lease) {
            told.add("elected");
        }

        @Override
        public void deposed(Loss loss) {
            told.add("deposed " + loss.reason());
        }
    };

    @Test
    void election_nodesFreezeAndThaw_isDeposedInTimeAndElectedAgain() {
        LeaderElection election = LeaderElection.start(holdfast.lock("leader"), candidate);
        time.settle();
        nodes.forEach(UnreliableNode::freeze);

        time.advance(Duration.ofSeconds(40));
        assertThat(told).containsExactly("elected", "deposed " + LossReason.QUORUM_UNREACHABLE);
        assertThat(election.leadership()).isEmpty();
        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofMinutes(1));

        assertThat(told).hasSize(3).endsWith("elected");
        assertThat(election.leadership()).isPresent();
    }

    @Test
    void election_candidateThrows_resignsAndIsElectedAgain() {
        List<Lease> leases = new ArrayList<>();
        LeaderElection.start(holdfast.lock("leader"), lease -> {
            leases.add(lease);
            if (leases.size() == 1) {
                throw new IllegalStateException("not today");
            }
        });

        time.advance(Duration.ofSeconds(1));

        assertThat(leases).hasSize(2);
        assertThat(leases).extracting(lease -> lease.state().isValid()).containsExactly(false, true);
        assertThat(leases.get(1).fencingToken().isAbove(leases.get(0).fencingToken()))
                .isTrue();
    }

    @Test
    void election_holdfastCloses_isDeposedAndStandsNoMore() {
        LeaderElection election = LeaderElection.start(holdfast.lock("leader"), candidate);
        time.settle();

        holdfast.close();
        time.advance(Duration.ofMinutes(1));

        assertThat(told).containsExactly("elected", "deposed " + LossReason.CLOSED);
        assertThat(election.leadership()).isEmpty();
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

    @Test
    void lockSet_oneLostWhileTheNextIsWaitedFor_isNotGranted() {
        Lease inTheWay = taken("b");
        CompletableFuture<MultiLease> set = MultiLock.of(
                        holdfast,
                        List.of("a", "b"),
                        OPTIONS.toBuilder()
                                .renewal(false)
                                .lease(Duration.ofSeconds(2))
                                .build())
                .acquireAsync();
        time.advance(Duration.ofSeconds(5));

        inTheWay.releaseAsync();
        time.advance(Duration.ofSeconds(1));

        assertThatThrownBy(set::join).hasCauseInstanceOf(LeaseLostException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("b")).isNull());
    }

    @Test
    void lockSet_waitIsOver_countsForAllOfThemTogether() {
        Lease first = taken("a");
        taken("b");
        CompletableFuture<MultiLease> set =
                MultiLock.of(holdfast, List.of("b", "a"), OPTIONS).acquireAsync();
        time.advance(Duration.ofSeconds(8));
        first.releaseAsync();
        time.advance(Duration.ofMillis(2_100));

        assertThatThrownBy(set::join)
                .hasCauseInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'b' is held by another");
        nodes.forEach(node -> assertThat(node.ownerOf("a")).isNull());
    }

    @Test
    void lockSet_cancelled_leavesNothing() {
        taken("b");
        CompletableFuture<MultiLease> set =
                MultiLock.of(holdfast, List.of("a", "b"), OPTIONS).acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(nodes.get(0).ownerOf("a")).isNotNull();

        set.cancel(true);
        time.advance(Duration.ofSeconds(1));

        nodes.forEach(node -> assertThat(node.ownerOf("a")).isNull());
    }

    /** Between one lock and the next, nobody waits whom the closing would tell. */
    @Test
    void lockSet_holdfastClosesBetweenTwoLocks_endsAllTheSame() {
        CompletableFuture<MultiLease> set =
                MultiLock.of(holdfast, List.of("a", "b"), OPTIONS).acquireAsync();

        holdfast.close();
        time.settle();

        assertThat(set).isCompletedExceptionally();
        assertThatThrownBy(set::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void composed_onAClosedHoldfast_saySo() {
        holdfast.close();

        assertThatThrownBy(() -> MultiLock.of(holdfast, List.of("a")).acquire())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This Holdfast is closed");
        assertThatThrownBy(() -> DistributedSemaphore.of(holdfast, "pool", 2).acquire())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This Holdfast is closed");
        assertThat(OwnedLock.of(holdfast.lock("a")).acquireAsync("me")).isCompletedExceptionally();
    }

    @Test
    void leases_oneLost_isToldOnceAndNoneIsReliedOn() {
        CompletableFuture<MultiLease> set =
                MultiLock.of(holdfast, List.of("a", "b"), OPTIONS).acquireAsync();
        time.settle();
        MultiLease leases = set.join();
        leases.onLost(loss -> told.add(loss.resource()));
        assertThat(leases.isValid()).isTrue();
        nodes.forEach(UnreliableNode::freeze);

        time.advance(Duration.ofSeconds(40));

        assertThat(told).hasSize(1);
        assertThat(leases.isValid()).isFalse();
        assertThat(leases.remaining()).isZero();
        assertThatThrownBy(() -> leases.of("c")).hasMessageContaining("'c' is not among the locks of [a, b]");
    }

    @Test
    void semaphore_allHeldUntilTheWaitIsOver_failsAndLeavesEveryLine() {
        DistributedSemaphore semaphore = DistributedSemaphore.of(holdfast, "pool", 2, OPTIONS);
        CompletableFuture<Lease> one = semaphore.acquireAsync();
        time.settle();
        CompletableFuture<Lease> two = semaphore.acquireAsync();
        time.settle();
        CompletableFuture<Lease> three = semaphore.acquireAsync();
        time.advance(Duration.ofSeconds(11));

        assertThatThrownBy(three::join).hasCauseInstanceOf(LockTimeoutException.class);
        one.join().releaseAsync();
        two.join().releaseAsync();
        time.advance(Duration.ofSeconds(1));

        nodes.forEach(node -> assertThat(node.ownerOf("pool/1")).isNull());
        nodes.forEach(node -> assertThat(node.ownerOf("pool/2")).isNull());
    }

    @Test
    void badInput_isRefusedWithTheRemedy() {
        assertThatThrownBy(() -> DistributedSemaphore.of(holdfast, "pool", 0))
                .hasMessage("A semaphore has 1 to 1000 permits, not 0; for more, split what it guards");
        assertThatThrownBy(() -> MultiLock.of(holdfast, List.of()))
                .hasMessage("A set of locks needs at least one name");
        assertThatThrownBy(() -> ReentrantDistributedLock.of(holdfast.lock("a")).newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private Lease taken(String resource) {
        CompletableFuture<Lease> lease = holdfast.lock(resource).acquireAsync();
        time.settle();
        return lease.join();
    }
}
