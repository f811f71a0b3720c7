package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.lease.Loss;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Elections on real threads whose leaders block until they are deposed: no thread of the library waits for a leader.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LeaderElectionStressTest {

    private static final int ELECTIONS = Boolean.getBoolean("holdfast.evidence") ? 300 : 50;

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes =
            List.of(new InMemoryNode("a", time), new InMemoryNode("b", time), new InMemoryNode("c", time));
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(1));
    private final DistributedLock lock = holdfast.lock("leader");
    private final ExecutorService starters = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        starters.shutdownNow();
        holdfast.close();
        time.close();
    }

    /** Leads until it is notified of the end of its term, or until the test ends it. */
    private static final class Leading implements LeaderElection.Candidate {

        private final CountDownLatch elected = new CountDownLatch(1);
        private final CountDownLatch resigned = new CountDownLatch(1);
        private final CountDownLatch deposed = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void elected(Lease lease) {
            elected.countDown();
            await(over);
        }

        @Override
        public void resigned(Lease lease) {
            resigned.countDown();
            over.countDown();
        }

        @Override
        public void deposed(Loss loss) {
            deposed.countDown();
            over.countDown();
        }

        private static boolean await(CountDownLatch latch) {
            try {
                latch.await();
                return true;
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    @Test
    void elections_eachLeadsUntilItsLeaseIsLost_allAreStartedAndDeposed() throws Exception {
        for (int i = 0; i < ELECTIONS; i++) {
            Leading candidate = new Leading();
            try (LeaderElection election = started(candidate)) {
                assertThat(Leading.await(candidate.elected)).as("elected").isTrue();

                breakLock(election.leadership().orElseThrow());

                assertThat(Leading.await(candidate.deposed)).as("deposed").isTrue();
            } finally {
                candidate.over.countDown();
            }
        }
    }

    @Test
    void elections_closedAndResignedByOtherThreadsWhileTheyLead_leaveNothing() throws Exception {
        for (int i = 0; i < ELECTIONS; i++) {
            Leading candidate = new Leading();
            LeaderElection election = started(candidate);
            Future<?> resigned = starters.submit(election::resign);
            Future<?> closed = starters.submit(election::close);
            resigned.get();
            closed.get();
            assertThat(election.leadership()).isEmpty();
            assertThat(candidate.deposed.getCount()).isEqualTo(1);
            if (candidate.resigned.getCount() == 0) {
                // The notification of the end may come while the thread of the election begins.
                assertThat(Leading.await(candidate.elected))
                        .as("notified of the end only if elected")
                        .isTrue();
            }
            candidate.over.countDown();
        }

        assertThat(lock.acquire().state().isValid()).isTrue();
    }

    /** Two candidates that resign in turn never lead at the same time. */
    @Test
    void elections_leadersResignInTurn_eachTermHasOneLeader() throws Exception {
        AtomicInteger leaders = new AtomicInteger();
        AtomicInteger clashes = new AtomicInteger();
        CountDownLatch terms = new CountDownLatch(ELECTIONS);
        LeaderElection[] elections = new LeaderElection[2];
        CountDownLatch begin = new CountDownLatch(1);
        for (int i = 0; i < elections.length; i++) {
            int own = i;
            elections[i] = LeaderElection.start(lock, lease -> {
                Leading.await(begin);
                clashes.addAndGet(leaders.incrementAndGet() > 1 ? 1 : 0);
                terms.countDown();
                leaders.decrementAndGet();
                elections[own].resign();
            });
        }
        begin.countDown();

        assertThat(Leading.await(terms)).isTrue();
        for (LeaderElection election : elections) {
            election.close();
        }
        assertThat(clashes).hasValue(0);
    }

    private LeaderElection started(Leading candidate) throws Exception {
        return starters.submit(() -> LeaderElection.start(lock, candidate)).get();
    }

    /** Removes the lock as an administrator does; the extension notices that at once. */
    private void breakLock(Lease lease) {
        nodes.forEach(InMemoryNode::evict);
        try {
            lease.extend(Duration.ofSeconds(30));
        } catch (LeaseLostException expected) {
            return;
        }
        throw new AssertionError("the lease was extended");
    }
}
