package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.history.RunHistory;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.TimeText;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The rule that a command succeeds at most once in a period.
 *
 * @param since when the period began in which this run was started
 * @param keep how long a success has to be remembered
 * @param runsIfUnknown whether the command runs if too few servers know whether it has succeeded
 */
public record OncePer(Instant since, Duration keep, boolean runsIfUnknown) {

    public static final CommandOption OPTION = CommandOption.of(
            "--once-per",
            "PERIOD",
            "Skip the command if it has succeeded in this period, on any machine: @hourly, @daily, @weekly or"
                    + " @monthly of the local time, or a duration such as 55m since its last start. A failed run does"
                    + " not count.");

    /** The greatest lead of the clock of the machine that ran last over this one. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(10);

    /** Returns the rule in these arguments, for a command that is started now. */
    public static Optional<OncePer> of(Arguments arguments, LockChoice choice) {
        Optional<Period> period = arguments.value(OPTION, Period::parse);
        if (period.isPresent() && !choice.isSingle()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--once-per needs one lock that one run holds at a time; omit "
                            + (choice.isShared() ? "-s" : choice.slots() > 0 ? "--slots" : "the other names"));
        }
        if (arguments.text(OPTION).filter(text -> text.startsWith("@")).isPresent()) {
            Period.requireCommonZone(System.getenv().getOrDefault("TZ", ""));
        }
        Instant now = Instant.now();
        boolean runsIfUnknown = OnUnreachable.of(arguments) == OnUnreachable.RUN;
        return period.map(some ->
                new OncePer(some.start(now, ZoneId.systemDefault()), Durations.times(some.length(), 2), runsIfUnknown));
    }

    /**
     * Returns whether the command has succeeded in the period. Requires that the lock is held, so that no other run can
     * succeed meanwhile.
     *
     * @throws UnknownRuns if too few servers know it, and the command does not run then
     */
    boolean isDone(LockHistory lock, String name, Terminal terminal) throws InterruptedException {
        long start = System.nanoTime();
        lock.read();
        while (!isDecided(lock) && System.nanoTime() - start < LockHistory.RETRY_LIMIT.toNanos()) {
            Thread.sleep(LockHistory.RETRY_PAUSE.toMillis());
            lock.read();
        }
        RunHistory history = lock.history()
                .orElseThrow(() -> new Failure(
                        ExitCode.INTERNAL,
                        "another version of Holdfast has recorded the runs of '" + name
                                + "'; install the same version on all machines"));
        Optional<Instant> success = history.lastSuccess().filter(this::counts);
        if (success.isEmpty() && !lock.isCompleteSince(since)) {
            String unknown = "unknown whether '" + name + "' has run since " + TimeText.of(since)
                    + ": too few servers answer that have not been restarted since";
            if (!runsIfUnknown) {
                throw new UnknownRuns(unknown);
            }
            terminal.print("warning: " + unknown + "; the command runs, maybe again");
        }
        history.lastSuccess()
                .filter(last -> isFuture(last))
                .ifPresent(last -> terminal.print("the last run of '" + name + "' was recorded for " + TimeText.of(last)
                        + ", which is in the future, and is ignored; set the clocks of all machines"));
        success.ifPresent(last -> terminal.detail("'" + name + "' has run at " + TimeText.of(last)
                + " with success, which is after " + TimeText.of(since) + "; the command is skipped"));
        return success.isPresent();
    }

    private boolean isDecided(LockHistory lock) {
        return lock.isCompleteSince(since)
                || lock.history()
                        .flatMap(RunHistory::lastSuccess)
                        .filter(this::counts)
                        .isPresent();
    }

    /** A success in the far future shows a wrong clock, and would prevent all runs until then. */
    private boolean counts(Instant success) {
        return !success.isBefore(since) && !isFuture(success);
    }

    private static boolean isFuture(Instant success) {
        return success.isAfter(Instant.now().plus(CLOCK_TOLERANCE));
    }
}
