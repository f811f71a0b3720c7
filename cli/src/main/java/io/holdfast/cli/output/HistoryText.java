package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.PastRuns;
import io.holdfast.lease.FencingToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Past runs as text and as JSON. */
public final class HistoryText {

    private static final String NL = System.lineSeparator();

    private HistoryText() {}

    /** Describes runs on one line each. */
    public static String lines(List<PastRun> runs, LockStatus status) {
        return runs.stream().map(run -> line(run, status) + NL).collect(Collectors.joining());
    }

    /** Describes the last run before the present one on one line; empty if none is known. */
    public static String last(PastRuns history, LockStatus status) {
        return previous(history, status)
                .map(run -> "  last run  " + line(run, status) + NL)
                .orElse("");
    }

    private static Optional<PastRun> previous(PastRuns history, LockStatus status) {
        return history.lastBefore(token(status).map(FencingToken::value).orElse(0L));
    }

    private static Optional<FencingToken> token(LockStatus status) {
        return status.held().flatMap(held -> held.token());
    }

    private static boolean holds(PastRun run, LockStatus status) {
        return run.outcome().isEmpty()
                && token(status).filter(token -> token.value() == run.fence()).isPresent();
    }

    private static String line(PastRun run, LockStatus status) {
        return TimeText.of(run.start()) + "  " + end(run, status) + ", after a wait of "
                + DurationText.measured(run.waited()) + ", by " + run.process();
    }

    private static String end(PastRun run, LockStatus status) {
        return run.outcome()
                .map(end -> "exit " + end.code() + " after " + DurationText.measured(duration(run, end))
                        + (end.lost() ? ", lock lost" : ""))
                .orElseGet(() -> holds(run, status) ? "running" : "did not report its end");
    }

    /** The clock may have been set back meanwhile. */
    private static Duration duration(PastRun run, PastRun.Outcome end) {
        Duration duration = Duration.between(run.start(), end.end());
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    /** Returns a run of this lock as an object on one line. */
    public static String json(PastRun run, LockStatus status) {
        Map<String, Object> fields = Json.fields("resource", status.resource());
        fields.putAll(fields(run, status));
        return Json.object(fields);
    }

    /** Returns the last run before the present one as an object; null if none is known. */
    static Object lastFields(PastRuns history, LockStatus status) {
        return previous(history, status).<Object>map(run -> fields(run, status)).orElse(Json.NULL);
    }

    private static Map<String, Object> fields(PastRun run, LockStatus status) {
        Optional<PastRun.Outcome> outcome = run.outcome();
        return Json.fields(
                "fence", run.fence(),
                "host", run.process().host(),
                "user", run.process().user(),
                "pid", run.process().pid(),
                "program", run.process().program(),
                "start", run.start(),
                "end", outcome.<Object>map(PastRun.Outcome::end).orElse(Json.NULL),
                "waitMillis", run.waited().toMillis(),
                "exitCode", outcome.<Object>map(PastRun.Outcome::code).orElse(Json.NULL),
                "lost", outcome.<Object>map(PastRun.Outcome::lost).orElse(Json.NULL),
                "running", holds(run, status));
    }
}
