package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers on workers of a {@link ForkJoinPool}, whose rules apply to {@code CompletableFuture.get}. */
class PoolWorkerTest {

    private static final int TASKS = 2_000;
    private static final long TASK_NANOS = 1_000_000;
    private static final Map<String, Call> CALLS = Map.of(
            "lock again",
                    test -> ReentrantDistributedLock.of(test.holdfast.lock("other"))
                            .lock(),
            "acquire", test -> test.holdfast.lock("other").acquire(),
            "permit", test -> DistributedSemaphore.of(test.holdfast, "pool", 1).acquire(),
            "extend", test -> test.reentrant.lease().orElseThrow().extend(Duration.ofSeconds(40)),
            "unlock", test -> test.reentrant.unlock());

    private final SystemTime time = new SystemTime();
    private final SlowNode node = new SlowNode();
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final ReentrantDistributedLock reentrant = ReentrantDistributedLock.of(holdfast.lock("a"));

    private interface Call {
        void on(PoolWorkerTest test) throws InterruptedException;
    }

    /** A node whose replies take a while. */
    private final class SlowNode extends ForwardingNode {

        SlowNode() {
            super(new InMemoryNode("slow", time));
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            time.schedule(Duration.ofMillis(20), () -> super.ask(claim).thenAccept(reply::complete));
            return reply;
        }
    }

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    static Stream<String> calls() {
        return CALLS.keySet().stream();
    }

    /** A nested task would re-enter the lock, and see the thread locals and the transaction of the task that waits. */
    @ParameterizedTest
    @MethodSource("calls")
    void wait_onAWorkerOfTheCommonPool_runsNoOtherTask(String name) throws Exception {
        assertThat(ForkJoinPool.getCommonPoolParallelism()).isGreaterThan(1);
        AtomicInteger nested = new AtomicInteger();

        CompletableFuture.runAsync(() -> waitAmongTasks(Objects.requireNonNull(CALLS.get(name)), nested))
                .get();

        assertThat(nested).hasValue(0);
    }

    private void waitAmongTasks(Call call, AtomicInteger nested) {
        Thread waiting = Thread.currentThread();
        boolean[] isInside = {true};
        reentrant.lock();
        IntStream.range(0, TASKS)
                .forEach(i -> CompletableFuture.runAsync(() -> {
                    if (Thread.currentThread().equals(waiting) && isInside[0]) {
                        nested.incrementAndGet();
                    }
                    // Otherwise the other workers would leave no task to the waiting one.
                    LockSupport.parkNanos(TASK_NANOS);
                }));
        try {
            call.on(this);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        isInside[0] = false;
        if (reentrant.isHeldByCurrentThread()) {
            reentrant.unlock();
        }
    }

    @Test
    void wait_onAPoolThatMayNotGrow_isCarriedOut() throws Exception {
        ForkJoinPool full = new ForkJoinPool(
                1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, false, 1, 1, 1, null, 1, TimeUnit.MINUTES);
        ForkJoinTask<Boolean> task = full.submit(() -> {
            Lease lease = holdfast.lock("b").acquire();
            boolean extended = lease.extend(Duration.ofSeconds(40));
            lease.close();
            return extended;
        });

        assertThat(task.get()).isTrue();
        assertThat(holdfast.admin().status("b").isHeldSomewhere()).isFalse();
        full.shutdown();
    }
}
