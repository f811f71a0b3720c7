package io.holdfast.spring.job;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.jobs.JobDecision;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRun;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of a method that succeeds once per period, as its record shows it. The steps follow each other. */
public final class MethodRun {

    private static final System.Logger LOG = System.getLogger(MethodRun.class.getName());

    private final String method;
    private final Function<Lease, JobRecorder> recorders;
    private volatile @Nullable JobRecorder recorder;
    private volatile @Nullable Lease lease;

    MethodRun(String method, Function<Lease, JobRecorder> recorders) {
        this.method = method;
        this.recorders = recorders;
    }

    /**
     * Decides under its lock whether the method runs, and records its start if it does. Blocks for one round in
     * general.
     *
     * @param waited how long the call has waited for the lock
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean starts(Lease granted, Duration waited) throws InterruptedException {
        JobRecorder begun = begin(granted);
        return started(begun, begun.decide(), granted.resource(), waited);
    }

    /** Decides without blocking; see {@link #starts}. */
    public CompletableFuture<Boolean> startsAsync(Lease granted, Duration waited) {
        JobRecorder begun = begin(granted);
        return begun.decideAsync().thenApply(decision -> started(begun, decision, granted.resource(), waited));
    }

    private JobRecorder begin(Lease granted) {
        JobRecorder begun = recorders.apply(granted);
        recorder = begun;
        lease = granted;
        return begun;
    }

    private boolean started(JobRecorder begun, JobDecision decision, String resource, Duration waited) {
        if (decision.runs()) {
            begun.started(JobRun.Runner.ofThisProcess(JobRun.Runner.METHOD, method), waited);
        } else {
            log(decision, resource);
        }
        return decision.runs();
    }

    private void log(JobDecision decision, String resource) {
        boolean isDone = decision.reason() == JobDecision.Reason.SUCCEEDED;
        LOG.log(
                isDone ? Level.DEBUG : Level.WARNING,
                () -> method + " does not run: "
                        + switch (decision.reason()) {
                            case UNREADABLE -> JobHistory.unreadable(resource);
                            case UNKNOWN -> "too few nodes know whether it has succeeded since " + decision.since();
                            default -> "it has succeeded since " + decision.since();
                        });
    }

    /** Records the end of the method, while the lock is still held. Blocks for one round in general. */
    public void ended(@Nullable Throwable failure) {
        JobRecorder begun = recorder;
        if (begun != null) {
            begun.ended(status(failure), text(failure));
        }
    }

    /** Records the end of the method without blocking; see {@link #ended}. */
    public CompletableFuture<Boolean> endedAsync(@Nullable Throwable failure) {
        JobRecorder begun = recorder;
        return begun == null
                ? CompletableFuture.completedFuture(false)
                : begun.endedAsync(status(failure), text(failure));
    }

    /**
     * Returns a future that completes as the stage of a method does, but after its end is recorded. Its cancellation
     * cancels the stage.
     */
    public CompletableFuture<@Nullable Object> following(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> endedAsync(failure).whenComplete((recorded, none) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        result.whenComplete((value, failure) -> {
            if (result.isCancelled() && stage instanceof CompletableFuture<?> future) {
                future.cancel(true);
            }
        });
        return result;
    }

    private static JobRun.Status status(@Nullable Throwable failure) {
        return failure == null ? JobRun.Status.SUCCEEDED : JobRun.Status.FAILED;
    }

    private static String text(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause == null ? "" : cause.getClass().getName();
    }

    /** Corrects the record if the call has failed because its lock was lost, which only the release may have shown. */
    public void failed(@Nullable Throwable failure) {
        JobRecorder begun = recorder;
        Lease held = lease;
        boolean isOfThisLock = failure instanceof LeaseLostException lost
                && held != null
                && lost.resource().equals(held.resource());
        if (begun != null && isOfThisLock) {
            begun.lostAsync();
        }
    }
}
