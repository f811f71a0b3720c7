package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.TimeText;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.jobs.JobDecision;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.jobs.JobRule;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/** The option by which a command succeeds at most once in a period, and what a run says about it. */
public final class OncePer {

    public static final CommandOption OPTION = CommandOption.of(
            "--once-per",
            "PERIOD",
            "Skip the command if it has succeeded in this period, on any machine: @hourly, @daily, @weekly or"
                    + " @monthly of the local time, or a duration such as 55m since its last start. A failed run does"
                    + " not count, nor does one without this option. Only @hourly and the like also state how often the"
                    + " command should succeed.");

    public static final CommandOption EXPECT_EVERY = CommandOption.of(
            "--expect-every",
            "DURATION",
            "State how often the command should succeed, such as 24h, for `holdfast jobs`. Default: as often as"
                    + " --once-per @hourly and the like, or as an earlier run has stated; --once-per with a duration"
                    + " states nothing.");

    private static final String TOO_FEW = ": too few servers answer that have not been restarted since";

    /** The short names of time zones that mean the same in Java and in the C library. */
    private static final Set<String> COMMON_SHORT_ZONES = Set.of("EST", "MST", "HST");

    private OncePer() {}

    /** Returns the rule in these arguments, for a command that is started now. */
    public static JobRule of(Arguments arguments, LockChoice choice) {
        Optional<JobPeriod> period = arguments.value(OPTION, JobPeriod::parse);
        if (period.isPresent() && !choice.isSingle()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--once-per needs one lock that one run holds at a time; omit "
                            + (choice.isShared() ? "-s" : choice.slots() > 0 ? "--slots" : "the other names"));
        }
        if (period.filter(JobPeriod::hasBorders).isPresent()) {
            requireCommonZone(System.getenv().getOrDefault("TZ", ""));
        }
        InstantSource clock = InstantSource.system();
        JobRule rule = period.map(some -> JobRule.oncePer(some, ZoneId.systemDefault(), clock))
                .orElseGet(() -> JobRule.always(clock));
        JobRule stated = arguments
                .value(EXPECT_EVERY, text -> JobPeriod.parse(text).every())
                .map(rule::expectedEvery)
                .orElse(rule);
        return OnUnreachable.of(arguments) == OnUnreachable.RUN ? stated.runningIfUnknown() : stated;
    }

    /**
     * Rejects a time zone that Java reads differently from the C library, and so from cron and the command.
     *
     * @param zone the variable {@code TZ}
     */
    static void requireCommonZone(String zone) {
        if (isAmbiguous(zone.startsWith(":") ? zone.substring(1) : zone)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "TZ=" + zone + " has different meanings in Java and in other programs, so --once-per cannot use"
                            + " its days; write TZ=Area/City, such as Europe/Berlin");
        }
    }

    /** For POSIX, GMT+3 is west of Greenwich, and IST and the like are other names for UTC. */
    private static boolean isAmbiguous(String zone) {
        boolean isShort = ZoneId.SHORT_IDS.containsKey(zone) && !COMMON_SHORT_ZONES.contains(zone);
        return isShort || zone.matches("GMT[+-](?!0$).*");
    }

    /**
     * Returns when the command started that has succeeded in the period; empty if there is none. Prints what a user
     * has to know.
     *
     * @param program the program of this run
     * @throws UnknownRuns if too few servers know it, and the command does not run then
     */
    static Optional<Instant> success(JobDecision decision, String name, String program, Terminal terminal) {
        if (decision.reason() == JobDecision.Reason.UNREADABLE) {
            throw new Failure(ExitCode.INTERNAL, JobHistory.unreadable(name));
        }
        String unknown = "unknown whether '" + name + "' has run since " + TimeText.of(decision.since());
        switch (decision.reason()) {
            case FORGOTTEN ->
                terminal.print(
                        unknown + ": too many servers are new, or were restarted without their data; the command runs,"
                                + " maybe again");
            case RISKED -> terminal.print("warning: " + unknown + TOO_FEW + "; the command runs, maybe again");
            case UNKNOWN -> throw new UnknownRuns(unknown + TOO_FEW);
            default -> {}
        }
        if (decision.isMarkIgnored()) {
            decision.mark()
                    .ifPresent(last -> terminal.print("the last run of '" + name + "' was recorded for "
                            + TimeText.of(last.start())
                            + ", which is in the future, and is ignored; set the clocks of all machines"));
        }
        Optional<JobHistory.Mark> success = decision.runs() ? Optional.empty() : decision.mark();
        success.ifPresent(last -> explainSkip(last, decision.since(), name, program, terminal));
        return success.map(JobHistory.Mark::start);
    }

    /** Another program under the same name is a mistake that must be noticed: it would never run. */
    private static void explainSkip(
            JobHistory.Mark last, Instant since, String name, String program, Terminal terminal) {
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
}
