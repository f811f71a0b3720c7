package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.console.json.Json;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.LockRuns;
import io.holdfast.lease.FencingToken;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Past runs as text and as JSON. */
public final class HistoryText {

    private static final String NL = System.lineSeparator();

    private HistoryText() {}

    /** Describes runs on one line each. */
    public static String lines(List<JobRun> runs, LockStatus status) {
        return runs.stream().map(run -> line(run, status) + NL).collect(Collectors.joining());
    }

    /** Describes the last run before the present one on one line; empty if none is known. */
    static String last(LockRuns runs) {
        return previous(runs)
                .map(run -> "  last run  " + line(run, runs.lock()) + NL)
                .orElse("");
    }

    /** Returns none also if another version has written the history. */
    private static Optional<JobRun> previous(LockRuns runs) {
        long present = runs.lock()
                .held()
                .flatMap(held -> held.token())
                .map(FencingToken::value)
                .orElse(0L);
        return runs.history().flatMap(history -> history.lastBefore(present));
    }

    static String line(JobRun run, LockStatus status) {
        return TimeText.of(run.start()) + "  " + end(run, status) + ", after a wait of "
                + DurationText.measured(run.waited()) + ", by " + run.runner();
    }

    private static String end(JobRun run, LockStatus status) {
        return run.outcome()
                .map(end -> result(end) + " after "
                        + DurationText.measured(run.duration().orElse(Duration.ZERO))
                        + (end.isLost() ? ", lock lost" : ""))
                .orElseGet(() -> run.isRunning(status) ? "running" : "did not report its end");
    }

    /** Describes the end of a command by its exit code, and that of other programs in words. */
    private static String result(JobRun.Outcome end) {
        if (end.exitCode().isPresent()) {
            return "exit " + end.text();
        } else if (!end.text().isEmpty()) {
            return "failed with " + end.text();
        }
        return end.isLost() ? "ended" : word(end.status());
    }

    /** Returns a run of this lock as an object on one line. */
    public static String json(JobRun run, LockStatus status) {
        Map<String, Object> fields = Json.fields("resource", status.resource());
        fields.putAll(fields(run, status));
        return Json.object(fields);
    }

    /** Returns the last run before the present one as an object; null if none is known. */
    static Object lastFields(LockRuns runs) {
        return previous(runs).<Object>map(run -> fields(run, runs.lock())).orElse(Json.NULL);
    }

    static Map<String, Object> fields(JobRun run, LockStatus status) {
        Optional<JobRun.Outcome> outcome = run.outcome();
        return Json.fields(
                "fence", run.fence(),
                "host", run.runner().host(),
                "user", run.runner().user(),
                "pid", run.runner().pid(),
                "program", run.runner().program(),
                "start", run.start(),
                "end", outcome.<Object>map(JobRun.Outcome::end).orElse(Json.NULL),
                "waitMillis", run.waited().toMillis(),
                "exitCode", exitCode(outcome),
                "lost", outcome.<Object>map(JobRun.Outcome::isLost).orElse(Json.NULL),
                "running", run.isRunning(status),
                "kind", run.runner().kind(),
                "result", outcome.<Object>map(end -> word(end.status())).orElse(Json.NULL),
                "error", error(outcome));
    }

    private static Object exitCode(Optional<JobRun.Outcome> outcome) {
        OptionalInt code = outcome.map(JobRun.Outcome::exitCode).orElse(OptionalInt.empty());
        return code.isPresent() ? code.getAsInt() : Json.NULL;
    }

    private static Object error(Optional<JobRun.Outcome> outcome) {
        return outcome.filter(end -> !end.text().isEmpty() && end.exitCode().isEmpty())
                .<Object>map(JobRun.Outcome::text)
                .orElse(Json.NULL);
    }

    private static String word(JobRun.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
