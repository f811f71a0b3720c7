package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

    @Test
    void now_secondReading_isNotBeforeTheFirst() {
        try (SystemTime time = new SystemTime()) {
            Moment first = time.now();
            Moment second = time.now();

            assertThat(second.nanos() - first.nanos()).isNotNegative();
            assertThat(second.wallMicros()).isGreaterThan(1_700_000_000_000_000L);
        }
    }

    @Test
    void schedule_taskThatThrows_doesNotStopTheNext() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            CountDownLatch ran = new CountDownLatch(1);
            time.schedule(Duration.ZERO, () -> {
                throw new IllegalStateException("expected by a test");
            });
            time.schedule(Duration.ofMillis(1), ran::countDown);

            ran.await();
        }
    }

    @Test
    void repeat_taskThrows_runsAgainUntilItReturnsFalse() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(1);
            CountDownLatch after = new CountDownLatch(1);
            time.repeat(Duration.ofNanos(1), () -> {
                if (runs.incrementAndGet() < 3) {
                    throw new OutOfMemoryError("in a test");
                }
                ended.countDown();
                return false;
            });
            ended.await();
            time.schedule(Duration.ofMillis(5), after::countDown);

            after.await();
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void schedule_cancelled_doesNotRun() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            AtomicBoolean ran = new AtomicBoolean();
            CountDownLatch later = new CountDownLatch(1);
            time.schedule(Duration.ofMillis(5), () -> ran.set(true)).cancel();
            time.schedule(Duration.ofMillis(10), later::countDown);

            later.await();
            assertThat(ran).isFalse();
        }
    }

    /** A callback that blocks delays neither timers nor other callbacks. */
    @Test
    void execute_whileAnotherBlocks_runs() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch ran = new CountDownLatch(2);
            time.execute(() -> awaitQuietly(release));
            time.execute(ran::countDown);
            time.schedule(Duration.ZERO, ran::countDown);

            ran.await();
            release.countDown();
        }
    }

    @Test
    void close_thenScheduleAndExecute_dropsTheOneAndRunsTheOther() {
        SystemTime time = new SystemTime();
        time.close();
        AtomicBoolean ran = new AtomicBoolean();

        time.schedule(Duration.ZERO, () -> ran.set(true)).cancel();
        assertThat(ran).isFalse();
        time.execute(() -> ran.set(true));

        assertThat(ran).isTrue();
    }

    /** Fails as {@code Thread.start} does if the system has no more threads for this process. */
    @Test
    void execute_noThreadCanBeStarted_runsWhenOneCan() throws InterruptedException {
        AtomicInteger missing = new AtomicInteger(3);
        try (SystemTime time = new SystemTime(shortOfThreads(missing))) {
            CountDownLatch ran = new CountDownLatch(2);

            time.execute(ran::countDown);
            time.execute(ran::countDown);

            ran.await();
            assertThat(missing).hasValue(0);
        }
    }

    @Test
    void close_taskWaitsForAThread_stillRunsIt() {
        SystemTime time = new SystemTime(shortOfThreads(new AtomicInteger(1_000_000)));
        AtomicBoolean ran = new AtomicBoolean();
        time.execute(() -> ran.set(true));

        time.close();

        assertThat(ran).isTrue();
    }

    /** After the failed delivery the lock is free: the next acquisition is granted, and no local queue is left. */
    @Test
    void acquireAsync_noThreadForItsCallback_leavesTheLockFree() throws Exception {
        AtomicInteger missing = new AtomicInteger();
        try (SystemTime time = new SystemTime(shortOfThreads(missing));
                Holdfast holdfast =
                        Holdfast.forTesting(List.of(new InMemoryNode("a node", time)), time, new SecureRandom())) {
            missing.set(2);

            holdfast.lock("a").acquireAsync().get().close();
            holdfast.lock("a").acquireAsync().get().close();

            assertThat(missing).hasValue(0);
        }
    }

    private static ThreadFactory shortOfThreads(AtomicInteger missing) {
        return task -> {
            if (missing.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
