package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Completed;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Elections whose candidates throw, resign and close, and whose threads fail, in virtual time. */
class LeaderElectionTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final VirtualTime virtual = new VirtualTime();
    private final FailingThreads time = new FailingThreads();
    private final List<InMemoryNode> nodes =
            List.of(new InMemoryNode("a", virtual), new InMemoryNode("b", virtual), new InMemoryNode("c", virtual));
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final Holdfast elsewhere = Holdfast.forTesting(nodes, virtual, new Random(8));
    private final List<String> calls = new ArrayList<>();
    private LeaseState stateAtResignation = LeaseState.LOST;
    private Runnable onResigned = () -> {};

    /** Virtual time whose next threads cannot be started, as where a limit of processes is reached. */
    private final class FailingThreads extends ForwardingTime {

        private int toRunAtOnce;
        private int toStart;
        private int toFail;

        FailingThreads() {
            super(virtual);
        }

        @Override
        public void execute(Runnable task) {
            if (toRunAtOnce > 0) {
                toRunAtOnce--;
                task.run();
                return;
            } else if (toStart > 0) {
                toStart--;
            } else if (toFail > 0) {
                toFail--;
                throw new InternalError("unable to create native thread");
            }
            super.execute(task);
        }
    }

    private final class Recording implements LeaderElection.Candidate {

        private final Consumer<Lease> onElected;
        private final Runnable onDeposed;

        Recording(Consumer<Lease> onElected, Runnable onDeposed) {
            this.onElected = onElected;
            this.onDeposed = onDeposed;
        }

        @Override
        public void elected(Lease lease) {
            calls.add("elected");
            onElected.accept(lease);
        }

        @Override
        public void resigned(Lease lease) {
            calls.add("resigned");
            stateAtResignation = lease.state();
            onResigned.run();
        }

        @Override
        public void deposed(Loss loss) {
            calls.add("deposed " + loss.reason());
            onDeposed.run();
        }
    }

    private LeaderElection start(Consumer<Lease> onElected, Runnable onDeposed) {
        return LeaderElection.start(holdfast.lock("leader"), new Recording(onElected, onDeposed));
    }

    private LeaderElection start() {
        return start(lease -> {}, () -> {});
    }

    private Optional<Lease> leaderElsewhere() {
        return rival.leadership();
    }

    private LeaderElection startElsewhere() {
        rival = LeaderElection.start(elsewhere.lock("leader"), lease -> {});
        return rival;
    }

    private LeaderElection rival = LeaderElection.start(elsewhere.lock("another"), lease -> {});

    /** Throws a checked exception that is not declared. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable checked) throws T {
        throw (T) checked;
    }

    /** A candidate that is called before the start has returned fails, rather than waits for ever. */
    private static LeaderElection known(CompletableFuture<LeaderElection> own) {
        return Objects.requireNonNull(own.getNow(null));
    }

    @Test
    void start_holdfastIsClosed_throws() {
        holdfast.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> LeaderElection.start(holdfast.lock("leader"), lease -> {}))
                .withMessage("This Holdfast is closed; connect a new one");
    }

    /** A try-with-resources statement around the work of a term is natural. */
    @Test
    void elected_closesItsLease_resignsAndTakesPartAgain() {
        start(Lease::close, () -> {});
        virtual.advance(Duration.ofSeconds(10));

        assertThat(calls).startsWith("elected", "resigned", "elected", "resigned");
    }

    @Test
    void elected_throwsAnError_resignsAndAnotherIsElected() {
        start(
                lease -> {
                    throw new NoClassDefFoundError("not/Packed");
                },
                () -> {});
        startElsewhere();

        virtual.advance(Duration.ofSeconds(10));

        assertThat(leaderElsewhere()).isPresent();
        assertThat(calls).containsSubsequence("elected", "resigned").doesNotContain("deposed");
    }

    @Test
    void elected_throwsACheckedException_resigns() {
        LeaderElection election =
                start(lease -> LeaderElectionTest.<RuntimeException>sneak(new Exception("sneaky")), () -> {});
        virtual.settle();

        assertThat(election.leadership()).isEmpty();
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNull());
    }

    /** A candidate that always fails is elected less and less often, even if it is the only one. */
    @Test
    void elected_alwaysThrows_isTriedAgainAfterGrowingDelays() {
        start(
                lease -> {
                    throw new IllegalStateException("never");
                },
                () -> {});

        virtual.advance(Duration.ofMinutes(1));

        assertThat(calls.stream().filter("elected"::equals)).hasSizeBetween(10, 16);
    }

    @Test
    void elected_throwsOnceAndThenLeads_leads() {
        LeaderElection election = start(
                lease -> {
                    if (calls.size() < 5) {
                        throw new AssertionError("not yet");
                    }
                },
                () -> {});

        virtual.advance(DAY);

        assertThat(calls).containsExactly("elected", "resigned", "elected", "resigned", "elected");
        assertThat(election.leadership()).isPresent();
    }

    @Test
    void deposed_throwsAnError_isElectedAgain() {
        LeaderElection election = start(lease -> {}, () -> {
            throw new LinkageError("deposed");
        });
        virtual.settle();
        nodes.forEach(InMemoryNode::flush);

        virtual.advance(Duration.ofSeconds(15));

        assertThat(calls).containsExactly("elected", "deposed " + LossReason.EXPIRED, "elected");
        assertThat(election.leadership()).isPresent();
    }

    @Test
    void start_lockIsFree_callsTheCandidateOnAnotherThread() {
        start();
        assertThat(calls).isEmpty();

        virtual.settle();
        assertThat(calls).containsExactly("elected");
    }

    /** The thread that delivers the lease may be faster than the one that starts the election. */
    @Test
    void start_leaseIsThereAtOnce_callsTheCandidateOnAnotherThread() {
        time.toRunAtOnce = 1;
        start();
        assertThat(calls).isEmpty();

        virtual.settle();
        assertThat(calls).containsExactly("elected");
    }

    @Test
    void resign_fromElected_queuesBehindTheOthers() {
        CompletableFuture<LeaderElection> own = new CompletableFuture<>();
        own.complete(start(lease -> known(own).resign(), () -> {}));
        startElsewhere();

        virtual.advance(Duration.ofSeconds(1));

        assertThat(leaderElsewhere()).isPresent();
        assertThat(Completed.value(own).leadership()).isEmpty();
    }

    @Test
    void close_fromElected_endsTheElection() {
        CompletableFuture<LeaderElection> own = new CompletableFuture<>();
        own.complete(start(lease -> known(own).close(), () -> {}));

        virtual.advance(DAY);

        assertThat(calls).containsExactly("elected", "resigned");
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNull());
    }

    @Test
    void close_fromDeposed_endsTheElection() {
        CompletableFuture<LeaderElection> own = new CompletableFuture<>();
        own.complete(start(lease -> {}, () -> known(own).close()));
        virtual.settle();
        nodes.forEach(InMemoryNode::flush);

        virtual.advance(DAY);

        assertThat(calls).containsExactly("elected", "deposed " + LossReason.EXPIRED);
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNull());
    }

    /** The work of the leader ends before another candidate can be elected. */
    @Test
    void resign_leader_isNotifiedWhileItHoldsTheLock() {
        LeaderElection election = start();
        virtual.settle();
        onResigned = () -> {
            assertThat(election.isLeader()).isFalse();
            nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNotNull());
        };

        election.resign();

        assertThat(calls).containsExactly("elected", "resigned");
        assertThat(stateAtResignation).isEqualTo(LeaseState.HELD);
    }

    @Test
    void resign_noLeader_hasNoEffect() {
        startElsewhere();
        virtual.settle();
        LeaderElection election = start();
        virtual.settle();

        election.resign();
        virtual.settle();

        assertThat(calls).isEmpty();
        assertThat(election.isLeader()).isFalse();
        assertThat(rival.isLeader()).isTrue();
    }

    @Test
    void resigned_throwsAnError_lockIsReleased() {
        LeaderElection election = start();
        startElsewhere();
        virtual.settle();
        onResigned = () -> {
            throw new LinkageError("resigned");
        };

        election.resign();
        virtual.settle();

        assertThat(rival.isLeader()).isTrue();
    }

    @Test
    void close_leader_isNotifiedOnce() {
        LeaderElection election = start();
        virtual.settle();

        election.close();
        election.close();
        election.resign();
        virtual.advance(DAY);

        assertThat(calls).containsExactly("elected", "resigned");
        assertThat(election.isLeader()).isFalse();
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNull());
    }

    @Test
    void close_fromResigned_endsTheElection() {
        LeaderElection election = start();
        virtual.settle();
        onResigned = election::close;

        election.resign();
        virtual.advance(DAY);

        assertThat(calls).containsExactly("elected", "resigned");
    }

    /** One term has one end: the lease is lost while the candidate is notified of its resignation. */
    @Test
    void resigned_leaseIsLostMeanwhile_isNotDeposedAsWell() {
        LeaderElection election = start();
        virtual.settle();
        onResigned = () -> {
            onResigned = () -> {};
            nodes.forEach(InMemoryNode::evict);
            virtual.advance(Duration.ofSeconds(40));
        };

        election.resign();
        virtual.advance(Duration.ofSeconds(1));

        assertThat(calls).containsExactly("elected", "resigned", "elected");
    }

    @Test
    void close_justGranted_isNeverElectedAndReleases() {
        LeaderElection election = start();
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNotNull());

        election.close();
        virtual.advance(DAY);

        assertThat(calls).isEmpty();
        nodes.forEach(node -> assertThat(node.ownerOf("leader")).isNull());
    }

    /** The candidate takes part again only after it has been notified of the loss. */
    @Test
    void elected_threadOfTheLossCannotStart_isDeposedLaterAndElectedAgain() {
        LeaderElection election = start();
        virtual.settle();
        nodes.forEach(InMemoryNode::flush);
        virtual.advance(Duration.ofMillis(9_899));
        time.toFail = 3;

        virtual.advance(Duration.ofSeconds(5));

        assertThat(calls).containsExactly("elected", "deposed " + LossReason.EXPIRED, "elected");
        assertThat(election.leadership()).isPresent();
    }

    @Test
    void elected_threadOfTheCandidateCannotStart_isElectedLater() {
        // The thread that delivers the lease starts, and that of the candidate does not.
        time.toStart = 1;
        time.toFail = 2;
        LeaderElection election = start();

        virtual.advance(Duration.ofMinutes(2));

        assertThat(calls).containsExactly("elected");
        assertThat(election.leadership()).isPresent();
    }
}
