package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A job whose body is a stage, in virtual time: it has the results of a job that blocks. */
class AsyncRunTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Machines machines = new Machines();
    private final Job job = Job.of(machines.holdfast(), "report")
            .withClock(machines.clock(Duration.ZERO))
            .oncePer(JobPeriod.parse("1h"));
    private final CompletableFuture<String> work = new CompletableFuture<>();
    private final List<String> ran = new ArrayList<>();

    private CompletableFuture<JobResult> start() {
        CompletableFuture<JobResult> result = job.runAsync(run -> {
            ran.add("ran");
            return work;
        });
        machines.pass(SECOND);
        return result;
    }

    private boolean isHeld() {
        return machines.holdfast().admin().status("report").held().isPresent();
    }

    /** Requires that the run fails soon, is recorded as failed, and releases the lock. */
    private void requireFailure(CompletableFuture<JobResult> result, Predicate<Throwable> expected) {
        machines.pass(SECOND);
        assertThat(result.handle((value, failure) -> failure)).isCompletedWithValueMatching(expected);
        assertThat(last().isFailure()).isTrue();
        assertThat(isHeld()).isFalse();
    }

    private JobRun last() {
        return job.history().orElseThrow().runs().get(0);
    }

    @Test
    void runAsync_stageCompletes_isASuccessAndThenReleased() {
        CompletableFuture<JobResult> result = start();
        machines.pass(Duration.ofMinutes(5));
        assertThat(result).isNotDone();
        assertThat(isHeld()).isTrue();

        work.complete("done");
        machines.pass(SECOND);

        assertThat(result.join().kind()).isEqualTo(JobResult.Kind.RAN);
        assertThat(last().isSuccess()).isTrue();
        assertThat(last().duration().orElseThrow()).isGreaterThan(Duration.ofMinutes(4));
        assertThat(isHeld()).isFalse();
        assertThat(start().join().kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);
        assertThat(ran).hasSize(1);
    }

    @Test
    void runAsync_stageFails_isRecordedAsFailedAndReleased() {
        CompletableFuture<JobResult> result = start();

        work.completeExceptionally(new IOException("disk"));
        machines.pass(SECOND);

        assertThat(result).isCompletedExceptionally();
        assertThat(result.handle((value, failure) -> failure))
                .isCompletedWithValueMatching(IOException.class::isInstance);
        assertThat(last().outcome().orElseThrow().text()).isEqualTo("java.io.IOException");
        assertThat(isHeld()).isFalse();
    }

    @Test
    void runAsync_bodyThrows_isRecordedAsFailed() {
        CompletableFuture<JobResult> result = job.runAsync(run -> {
            throw new IOException("disk");
        });

        requireFailure(result, IOException.class::isInstance);
    }

    @Test
    @SuppressWarnings("NullAway")
    void runAsync_bodyReturnsNull_isRecordedAsFailedAndReleased() {
        CompletableFuture<JobResult> result = job.runAsync(run -> null);

        requireFailure(
                result, failure -> String.valueOf(failure.getMessage()).contains("returned null instead of a stage"));
    }

    /** The stage may be of any library. */
    @Test
    void runAsync_stageCannotBeFollowed_failsAndReleases() {
        CompletableFuture<String> broken = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw new UnsupportedOperationException("of the test");
            }
        };

        CompletableFuture<JobResult> result = job.runAsync(run -> broken);

        requireFailure(result, UnsupportedOperationException.class::isInstance);
    }

    @Test
    @SuppressWarnings("NullAway")
    void withProgram_null_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> job.withProgram(null)).withMessageContaining("name it");
    }

    @Test
    void runAsync_lockIsLost_isNoSuccess() {
        CompletableFuture<JobResult> result = start();
        machines.holdfast().admin().breakLock("report");

        work.complete("done");
        machines.pass(SECOND);

        assertThat(result.handle((value, failure) -> failure))
                .isCompletedWithValueMatching(LeaseLostException.class::isInstance);
    }

    @Test
    void runAsync_heldForLongerThanTheLimit_isHeld() {
        CompletableFuture<Lease> other = machines.holdfast().lock("report").acquireAsync();
        machines.pass(SECOND);
        assertThat(other).isCompleted();

        CompletableFuture<JobResult> result = job.withOptions(
                        LockOptions.builder().waitLimit(Duration.ZERO).build())
                .runAsync(run -> work);
        machines.pass(SECOND);

        assertThat(result.join().kind()).isEqualTo(JobResult.Kind.HELD);
    }

    /** Work that goes on must keep its lock. */
    @Test
    void runAsync_cancelled_cancelsTheStageAndReleases() {
        CompletableFuture<JobResult> result = start();

        result.cancel(true);
        machines.pass(SECOND);

        assertThat(work).isCancelled();
        assertThat(last().isFailure()).isTrue();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void runAsync_cancelledWhileItWaits_neverRuns() {
        CompletableFuture<Lease> other = machines.holdfast().lock("report").acquireAsync();
        machines.pass(SECOND);
        CompletableFuture<JobResult> result = start();

        result.cancel(true);
        other.join().releaseAsync();
        machines.pass(SECOND);

        assertThat(ran).isEmpty();
        assertThat(isHeld()).isFalse();
    }
}
