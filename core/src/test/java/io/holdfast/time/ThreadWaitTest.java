package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadWaitTest {

    private static final Duration SHORT = Duration.ofMillis(5);

    private final SystemTime time = new SystemTime();
    private final CompletableFuture<String> future = new CompletableFuture<>();

    @AfterEach
    void close() {
        boolean unused = Thread.interrupted();
        time.close();
    }

    private void completeSoon() {
        time.schedule(Duration.ofMillis(20), () -> future.complete("done"));
    }

    @Test
    void park_futureCompletes_returnsTrue() throws InterruptedException {
        completeSoon();

        assertThat(ThreadWait.park(future, Durations.FOREVER)).isTrue();
        assertThat(ThreadWait.resultOf(future)).isEqualTo("done");
    }

    @Test
    void park_futureFails_returnsTrue() throws InterruptedException {
        time.schedule(SHORT, () -> future.completeExceptionally(new IllegalArgumentException("no")));

        assertThat(ThreadWait.park(future, Duration.ofMinutes(1))).isTrue();
        assertThatThrownBy(() -> ThreadWait.resultOf(future)).hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void park_limitIsOver_returnsFalse() throws InterruptedException {
        assertThat(ThreadWait.park(future, SHORT)).isFalse();
        assertThat(ThreadWait.park(future, Duration.ZERO)).isFalse();
        assertThat(ThreadWait.park(future, Duration.ofSeconds(-1))).isFalse();
    }

    @Test
    void park_interrupted_throwsAndLeavesTheFuture() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> ThreadWait.park(future, Durations.FOREVER)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(future).isNotDone();
    }

    @Test
    void park_interruptedAndComplete_returnsAndStaysInterrupted() throws InterruptedException {
        future.complete("done");
        Thread.currentThread().interrupt();

        assertThat(ThreadWait.park(future, Durations.FOREVER)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void uninterruptibly_interrupted_waitsAndStaysInterrupted() {
        completeSoon();
        Thread.currentThread().interrupt();

        assertThat(ThreadWait.uninterruptibly(time::await, future, Durations.FOREVER))
                .isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    /** A permit that an earlier wait has left lets a thread return from park at once. */
    @Test
    void park_threadHasAPermit_waitsAllTheSame() throws InterruptedException {
        LockSupport.unpark(Thread.currentThread());

        assertThat(ThreadWait.park(future, SHORT)).isFalse();
    }

    @Test
    void resultOf_futureIsNotComplete_isRejected() {
        assertThatThrownBy(() -> ThreadWait.resultOf(future)).isInstanceOf(IllegalStateException.class);
    }
}
