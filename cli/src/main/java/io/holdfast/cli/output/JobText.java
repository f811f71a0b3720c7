package io.holdfast.cli.output;

import io.holdfast.console.json.Json;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.JobStatus;
import io.holdfast.node.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** The states of jobs as text and as JSON. */
public final class JobText {

    private static final String NL = System.lineSeparator();

    private JobText() {}

    /** Describes a job: its state on one line, its last run, and its last success if that is another run. */
    public static String detail(JobStatus job, Instant now) {
        StringBuilder text =
                new StringBuilder("'" + ResourceName.listed(job.name()) + "'  " + state(job, now) + due(job, now) + NL);
        job.lastRun()
                .ifPresent(run -> text.append("  last run  ")
                        .append(HistoryText.line(run, job.lock()))
                        .append(NL));
        boolean isLastRun = job.lastRun().filter(JobRun::isSuccess).isPresent();
        job.history()
                .lastSuccess(now)
                .filter(success -> !isLastRun)
                .ifPresent(success -> text.append("  last success  ")
                        .append(TimeText.of(success))
                        .append(NL));
        return text.toString();
    }

    private static String state(JobStatus job, Instant now) {
        StringJoiner states = new StringJoiner(", ");
        if (job.isOverdue(now)) {
            states.add("OVERDUE");
        }
        states.add(lastState(job));
        return states.toString();
    }

    private static String lastState(JobStatus job) {
        if (job.running().isPresent()) {
            return "running";
        } else if (job.isFailed()) {
            return "FAILED";
        }
        // The scheduler of a task, such as ShedLock, does not say whether it failed.
        boolean isOk = job.lastRun().filter(run -> !run.isSuccess()).isEmpty();
        return isOk ? "ok" : "ended";
    }

    private static String due(JobStatus job, Instant now) {
        return job.nextDue(now)
                .map(due -> (due.isAfter(now) ? "; next due " : "; was due ") + TimeText.of(due))
                .orElse("");
    }

    /** Returns a job as an object on one line. */
    public static String json(JobStatus job, Instant now) {
        Map<String, Object> fields = Json.fields(
                "resource", job.name(),
                "overdue", job.isOverdue(now),
                "failed", job.isFailed(),
                "running", job.running().isPresent(),
                "lastSuccess", orNull(job.history().lastSuccess(now)),
                "nextDue", orNull(job.nextDue(now)),
                "expectEveryMillis", millis(job.history().expectEvery()),
                "durationMillis", millis(job.duration()),
                "complete", job.isComplete());
        fields.put(
                "lastRun",
                job.lastRun()
                        .<Object>map(run -> HistoryText.fields(run, job.lock()))
                        .orElse(Json.NULL));
        return Json.object(fields);
    }

    private static Object millis(Optional<Duration> time) {
        return orNull(time.map(Duration::toMillis));
    }

    private static Object orNull(Optional<?> value) {
        return value.isPresent() ? value.get() : Json.NULL;
    }
}
