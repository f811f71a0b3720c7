package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.history.PastRuns;
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
                    + " not count, nor does one without this option.");

    /** The greatest lead of the clock of the machine that ran last over this one. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(10);

    private static final String TOO_FEW = ": too few servers answer that have not been restarted since";

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
     * Returns when the command started that has succeeded in the period; empty if there is none. Requires that the lock
     * is held, so that no other run can succeed meanwhile.
     *
     * @param program the program of this run
     * @throws UnknownRuns if too few servers know it, and the command does not run then
     */
    Optional<Instant> success(LockHistory lock, String name, String program, Terminal terminal)
            throws InterruptedException {
        long start = System.nanoTime();
        lock.read();
        while (!isDecided(lock) && System.nanoTime() - start < LockHistory.RETRY_LIMIT.toNanos()) {
            Thread.sleep(LockHistory.RETRY_PAUSE.toMillis());
            lock.read();
        }
        PastRuns history = lock.history()
                .orElseThrow(() -> new Failure(
                        ExitCode.INTERNAL,
                        "another version of Holdfast has recorded the runs of '" + name
                                + "'; install the same version on all machines"));
        Optional<PastRuns.Mark> success = history.mark().filter(this::counts);
        if (success.isEmpty() && !lock.isCompleteSince(since)) {
            runsThoughUnknown(lock, name, terminal);
        }
        history.mark()
                .map(PastRuns.Mark::start)
                .filter(OncePer::isFuture)
                .ifPresent(last -> terminal.print("the last run of '" + name + "' was recorded for " + TimeText.of(last)
                        + ", which is in the future, and is ignored; set the clocks of all machines"));
        success.ifPresent(last -> explainSkip(last, name, program, terminal));
        return success.map(PastRuns.Mark::start);
    }

    /** Another program under the same name is a mistake that must be noticed: it would never run. */
    private void explainSkip(PastRuns.Mark last, String name, String program, Terminal terminal) {
        String happened = "'" + name + "' has run at " + TimeText.of(last.start()) + " with success, which is after "
                + TimeText.of(since);
        if (last.isOfAnother(program)) {
            terminal.print("warning: " + happened + ", but its program was '" + last.program() + "'; '"
                    + Terminal.printable(program) + "' is skipped. Give each job a name of its own, or write `holdfast"
                    + " mark " + name + " --forget` if the program was renamed");
        } else {
            terminal.detail(happened + "; the command is skipped");
        }
    }

    /**
     * Decides about a command of which a success may be missing. If a server may still know it, the command does not
     * run unless the user wants that. If it is lost, it runs: otherwise no command would run for the rest of its period
     * after a power cut.
     */
    private void runsThoughUnknown(LockHistory lock, String name, Terminal terminal) {
        String unknown = "unknown whether '" + name + "' has run since " + TimeText.of(since);
        if (lock.isLatest()) {
            terminal.print(
                    unknown + ": too many servers are new, or were restarted without their data; the command runs,"
                            + " maybe again");
        } else if (runsIfUnknown) {
            terminal.print("warning: " + unknown + TOO_FEW + "; the command runs, maybe again");
        } else {
            throw new UnknownRuns(unknown + TOO_FEW);
        }
    }

    private boolean isDecided(LockHistory lock) {
        return lock.isCompleteSince(since)
                || lock.isLatest()
                || lock.history().flatMap(PastRuns::mark).filter(this::counts).isPresent();
    }

    /** A success in the far future shows a wrong clock, and would prevent all runs until then. */
    private boolean counts(PastRuns.Mark success) {
        return !success.start().isBefore(since) && !isFuture(success.start());
    }

    private static boolean isFuture(Instant success) {
        return success.isAfter(Instant.now().plus(CLOCK_TOLERANCE));
    }
}
