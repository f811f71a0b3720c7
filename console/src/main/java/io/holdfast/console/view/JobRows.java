package io.holdfast.console.view;

import io.holdfast.console.json.Json;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The jobs as rows. */
final class JobRows {

    private JobRows() {}

    /**
     * Returns the rows of these jobs.
     *
     * @param isFresh {@code false} if the jobs were read too long ago to say what runs now
     */
    static List<Map<String, Object>> of(List<JobStatus> jobs, Instant now, boolean isFresh) {
        return jobs.stream().map(job -> row(job, now, isFresh)).toList();
    }

    private static Map<String, Object> row(JobStatus job, Instant now, boolean isFresh) {
        Optional<JobRun> running = job.running().filter(run -> isFresh);
        Map<String, Object> row = Json.fields(
                "name", job.name(),
                "overdue", job.isOverdue(now),
                "failed", job.isFailed(),
                "running", running.isPresent(),
                "complete", isFresh && job.isComplete());
        job.history().lastSuccess(now).ifPresent(success -> row.put("lastSuccess", success.toEpochMilli()));
        job.nextDue(now).ifPresent(due -> row.put("nextDue", due.toEpochMilli()));
        job.history().expectEvery().map(Duration::toMillis).ifPresent(every -> row.put("expectEveryMillis", every));
        List<Map<String, Object>> runs = new ArrayList<>();
        job.history().runs().forEach(run -> runs.add(0, run(run, running)));
        row.put("runs", runs);
        return row;
    }

    private static Map<String, Object> run(JobRun run, Optional<JobRun> running) {
        boolean isRunning = running.filter(run::equals).isPresent();
        Map<String, Object> row = Json.fields(
                "start", run.start().toEpochMilli(),
                "status",
                        run.outcome()
                                .map(end -> end.status().name().toLowerCase(Locale.ROOT))
                                .orElse(isRunning ? "running" : "unknown"),
                "text", run.outcome().map(JobRun.Outcome::text).orElse(""),
                "runner", run.runner().toString());
        run.outcome().ifPresent(end -> row.put("end", end.end().toEpochMilli()));
        return row;
    }
}
