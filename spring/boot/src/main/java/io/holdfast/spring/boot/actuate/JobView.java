package io.holdfast.spring.boot.actuate;

import io.holdfast.jobs.JobOverview;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A job in an answer of the endpoint.
 *
 * @param resource the name of the job and of its lock
 * @param overdue whether it should have run before the jobs were read
 * @param failed whether the last run failed, lost its lock, or did not report its end
 * @param running whether a run goes on
 * @param complete {@code false} if newer runs may be missing, because too few nodes answer
 * @param lastSuccess the start of the last success; null if none is known
 * @param nextDue when it is due; null if no run has stated how often it should run
 * @param expectEvery how often it should run; null if no run has stated that
 * @param duration how long the last success took; null if none is known
 * @param lastRuns the last runs, the newest first
 */
public record JobView(
        String resource,
        boolean overdue,
        boolean failed,
        boolean running,
        boolean complete,
        @Nullable Instant lastSuccess,
        @Nullable Instant nextDue,
        @Nullable Duration expectEvery,
        @Nullable Duration duration,
        List<Run> lastRuns) {

    private static final int MOST_RUNS = 5;

    /**
     * A run of a job.
     *
     * @param start when it started
     * @param end when it ended; null if it did not report that
     * @param result succeeded, failed, lost or ended; null if it did not report that
     * @param text the exit code of a command, or the class of an exception; may be empty
     * @param by the process, and what it ran
     */
    public record Run(
            Instant start, @Nullable Instant end, @Nullable String result, String text, String by) {

        private static Run of(JobRun run) {
            return new Run(
                    run.start(),
                    run.outcome().map(JobRun.Outcome::end).orElse(null),
                    run.outcome()
                            .map(end -> end.status().name().toLowerCase(Locale.ROOT))
                            .orElse(null),
                    run.outcome().map(JobRun.Outcome::text).orElse(""),
                    run.runner().toString());
        }
    }

    /** Returns the first jobs of a reading; null if they are not known. */
    static @Nullable List<JobView> of(JobOverview.Reading reading, int limit) {
        return reading.isKnown()
                ? reading.jobs().stream()
                        .limit(limit)
                        .map(job -> of(job, reading.begun()))
                        .toList()
                : null;
    }

    private static JobView of(JobStatus job, Instant now) {
        return new JobView(
                job.name(),
                job.isOverdue(now),
                job.isFailed(),
                job.running().isPresent(),
                job.isComplete(),
                job.history().lastSuccess(now).orElse(null),
                job.nextDue(now).orElse(null),
                job.history().expectEvery().orElse(null),
                job.duration().orElse(null),
                job.history().runs().stream().limit(MOST_RUNS).map(Run::of).toList());
    }
}
