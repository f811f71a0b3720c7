package io.holdfast.jobs;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link Job#runAsync}: its steps are those of {@link Job#run}, each when the one before has ended.
 * Thread-safe.
 */
final class AsyncRun {

    private final DistributedLock lock;
    private final JobRule rule;
    private final String program;
    private final Job.AsyncBody body;
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();

    AsyncRun(DistributedLock lock, JobRule rule, String program, Job.AsyncBody body) {
        this.lock = LockInternals.onLibraryThreads(lock);
        this.rule = rule;
        this.program = program;
        this.body = body;
    }

    CompletableFuture<JobResult> start() {
        Time time = LockInternals.time(lock);
        Moment begun = time.now();
        CompletableFuture<Lease> acquisition = lock.acquireAsync();
        cancelWithResult(acquisition);
        acquisition.whenComplete((lease, failure) -> {
            if (lease != null) {
                guarded(lease, () -> decide(lease, time.now().since(begun)));
            } else if (cause(failure) instanceof LockTimeoutException) {
                result.complete(JobResult.held(lock.resource()));
            } else {
                fail(failure);
            }
        });
        return result;
    }

    private void decide(Lease lease, Duration waited) {
        JobRecorder recorder = JobRecorder.of(lease, rule);
        recorder.decideAsync()
                .whenComplete((decision, failure) -> guarded(lease, () -> {
                    if (decision == null) {
                        release(lease, () -> fail(failure));
                    } else if (!decision.runs() || result.isDone()) {
                        release(lease, () -> result.complete(JobResult.skipped(lock.resource(), decision)));
                    } else {
                        recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.JAVA, program), waited);
                        run(lease, recorder, decision);
                    }
                }));
    }

    /** Takes a step on a thread whose exceptions reach no caller. Nothing else would end the renewed lease. */
    private void guarded(Lease lease, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error failed) {
            release(lease, () -> fail(failed));
        }
    }

    private void run(Lease lease, JobRecorder recorder, JobDecision decision) {
        CompletionStage<?> work = work(new CurrentRun(lease, decision));
        if (work instanceof CompletableFuture<?> future) {
            cancelWithResult(future);
        }
        try {
            work.whenComplete((value, failure) -> guarded(lease, () -> ended(lease, recorder, failure)));
        } catch (RuntimeException | Error notFollowed) {
            ended(lease, recorder, notFollowed);
        }
    }

    private void ended(Lease lease, JobRecorder recorder, @Nullable Throwable failure) {
        if (failure == null) {
            recorder.endedAsync(JobRun.Status.SUCCEEDED, "")
                    .whenComplete((isRecorded, none) -> finish(lease, recorder, Boolean.TRUE.equals(isRecorded)));
        } else {
            recorder.endedAsync(JobRun.Status.FAILED, cause(failure).getClass().getName())
                    .whenComplete((isRecorded, none) -> release(lease, () -> fail(failure)));
        }
    }

    private CompletionStage<?> work(CurrentRun run) {
        try {
            return Objects.requireNonNull(
                    body.run(run), "the body returned null instead of a stage; return one that ends with the work");
        } catch (Throwable failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private void finish(Lease lease, JobRecorder recorder, boolean isRecorded) {
        lease.finishAsync().whenComplete((finished, failure) -> {
            if (failure == null) {
                result.complete(JobResult.ran(lock.resource(), isRecorded));
            } else if (cause(failure) instanceof LeaseLostException) {
                recorder.lostAsync().whenComplete((corrected, none) -> fail(failure));
            } else {
                fail(failure);
            }
        });
    }

    private static void release(Lease lease, Runnable then) {
        lease.releaseAsync().whenComplete((outcome, failure) -> then.run());
    }

    private void cancelWithResult(CompletableFuture<?> step) {
        result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                step.cancel(true);
            }
        });
    }

    private void fail(@Nullable Throwable failure) {
        result.completeExceptionally(cause(failure));
    }

    private static Throwable cause(@Nullable Throwable failure) {
        Throwable known = Optional.ofNullable(failure).orElseGet(IllegalStateException::new);
        return known instanceof CompletionException && known.getCause() != null ? known.getCause() : known;
    }
}
