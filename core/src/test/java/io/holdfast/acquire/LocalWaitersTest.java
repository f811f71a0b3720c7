package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.NodePatience;
import io.holdfast.quorum.Voters;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hand-overs of a lock to a waiter of the same client, whose thread has to accept it. */
class LocalWaitersTest {

    private static final String LOCK = "a";
    private static final LockParameters PARAMETERS = new LockParameters(
            Duration.ofSeconds(30),
            new Drift(0.01),
            Duration.ofSeconds(1),
            NodePatience.exactly(Duration.ofMillis(50)),
            new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)),
            false,
            LockMode.EXCLUSIVE);
    private static final WaitLimit LIMIT = new WaitLimit(Duration.ofMinutes(1));

    /** Runs when the client reads its clock the next time. */
    private Runnable onRead = () -> {};

    private final VirtualTime time = new VirtualTime();
    private final AtomicInteger owners = new AtomicInteger();
    private final Time failing = new ForwardingTime(time) {
        @Override
        public Moment now() {
            Runnable next = onRead;
            onRead = () -> {};
            next.run();
            return super.now();
        }
    };
    private final NodeGroup group = new NodeGroup(
            Voters.of(List.of(new InMemoryNode("node", time))),
            failing,
            "client-1",
            () -> new Owner("owner-" + owners.incrementAndGet()),
            new Random(1));
    private final LocalWaiters waiters = new LocalWaiters(group);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Grant first = Completed.value(acquire(Runnable::run)).lock().orElseThrow();

    private CompletableFuture<AcquireResult<Grant>> acquire(Executor thread) {
        return waiters.acquire(LOCK, PARAMETERS, LIMIT, thread);
    }

    /** Otherwise the waiter would have left the queue, and would never be granted the lock. */
    @Test
    void handOver_waiterHasNoThread_isGrantedByTheTimer() {
        CompletableFuture<AcquireResult<Grant>> waiting = acquire(task -> {
            throw new RejectedExecutionException("closed");
        });

        assertThat(waiters.handOver(first)).isTrue();
        assertThat(waiting).isNotDone();
        time.settle();

        assertThat(waiting).isCompletedWithValueMatching(result -> result.lock().isPresent());
    }

    /** The limits end a wait, but not one whose lock only has to be accepted. */
    @Test
    void handOver_threadOfTheWaiterIsLate_waitsAgainWithinItsLimits() {
        CompletableFuture<AcquireResult<Grant>> waiting = acquire(tasks::add);
        waiters.handOver(first);
        time.advance(Duration.ofSeconds(25));

        tasks.remove().run();
        time.settle();

        assertThat(waiting)
                .isCompletedWithValueMatching(result -> result.lock()
                        .filter(grant ->
                                !grant.claim().owner().equals(first.claim().owner()))
                        .isPresent());
    }

    /** A thread without memory fails in any step; the waiter would wait for ever, and the queue with it. */
    @Test
    void handOver_threadOfTheWaiterFails_handsOverToTheNext() {
        CompletableFuture<AcquireResult<Grant>> failed = acquire(tasks::add);
        CompletableFuture<AcquireResult<Grant>> next = acquire(Runnable::run);
        waiters.handOver(first);
        onRead = () -> {
            throw new OutOfMemoryError("in a test");
        };

        assertThatThrownBy(() -> tasks.remove().run()).isInstanceOf(OutOfMemoryError.class);
        time.advance(Duration.ofSeconds(1));

        assertThat(failed).isCompletedExceptionally();
        assertThat(next).isCompletedWithValueMatching(result -> result.lock().isPresent());
    }

    /** Otherwise the nodes might be closed before a lock is released that the thread has taken. */
    @Test
    void settled_threadOfTheWaiterAccepts_waitsForIt() {
        acquire(tasks::add);
        waiters.handOver(first);
        List<Boolean> settled = new ArrayList<>();
        onRead = () -> settled.add(group.settled().isDone());

        tasks.remove().run();

        assertThat(settled).containsExactly(false);
        assertThat(group.settled()).isDone();
    }

    /** The lock does not wait for the thread of a waiter that was cancelled. */
    @Test
    void cancel_beforeTheThreadAccepts_handsOverToTheNext() {
        CompletableFuture<AcquireResult<Grant>> cancelled = acquire(tasks::add);
        CompletableFuture<AcquireResult<Grant>> next = acquire(Runnable::run);
        waiters.handOver(first);

        cancelled.cancel(true);

        assertThat(next)
                .isCompletedWithValueMatching(result -> result.lock()
                        .filter(grant ->
                                grant.claim().fence().isAbove(first.claim().fence()))
                        .isPresent());
    }
}
