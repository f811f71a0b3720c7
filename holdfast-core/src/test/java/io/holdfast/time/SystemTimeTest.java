package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

    private static final long PATIENCE_SECONDS = 30;

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

            assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void schedule_cancelled_doesNotRun() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            AtomicBoolean ran = new AtomicBoolean();
            CountDownLatch later = new CountDownLatch(1);
            time.schedule(Duration.ofMillis(5), () -> ran.set(true)).cancel();
            time.schedule(Duration.ofMillis(10), later::countDown);

            assertThat(later.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(ran).isFalse();
        }
    }

    /** A callback that blocks keeps neither the timers nor another callback waiting. */
    @Test
    void execute_whileAnotherBlocks_runs() throws InterruptedException {
        try (SystemTime time = new SystemTime()) {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch ran = new CountDownLatch(2);
            time.execute(() -> awaitQuietly(release));
            time.execute(ran::countDown);
            time.schedule(Duration.ZERO, ran::countDown);

            assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
