package io.holdfast.cli.run;

import io.holdfast.LockOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.lock.LockChoice;
import io.holdfast.cli.lock.OncePer;
import io.holdfast.cli.option.ExitCodeOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.option.ProgramOptions;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.CommandProcesses;
import io.holdfast.cli.process.HeldLocks;
import io.holdfast.cli.process.Retries;
import io.holdfast.cli.process.Watchdog;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.jobs.JobRule;
import io.holdfast.time.DurationSyntax;
import java.time.Duration;

/** The options of one run, all checked before anything is done. */
record CheckedOptions(
        LockChoice lock,
        JobRule rule,
        String programName,
        String servers,
        WaitOptions waiting,
        LockOptions lockOptions,
        Duration jitter,
        Duration holdAtLeast,
        OnLost onLost,
        OnUnreachable onUnreachable,
        ExitCodeOptions exitCodes,
        ProgramOptions program,
        Reports reports,
        boolean isQuiet) {

    /** The word {@code run}. */
    private static final int WORDS_BEFORE = 1;

    static final CommandOption HOLD_AT_LEAST = CommandOption.of(
            "--hold-at-least",
            "DURATION",
            "Hold the lock for at least this time, even if the command ends sooner. For cron jobs on several"
                    + " machines: longer than their clocks differ.");
    static final CommandOption JITTER = CommandOption.of(
            "--jitter",
            "DURATION",
            "Wait for a random time up to this before contending, so that machines with equal clocks do not"
                    + " contend all at once.");
    static final CommandOption ON_LOST = CommandOption.of(
            "--on-lost",
            "kill|warn",
            "When the lock is lost: send TERM to the command a while before another client can acquire the lock, and"
                    + " KILL just before one can; or only print a warning. Default: kill.");
    static final CommandOption QUIET = CommandOption.of(
            "-q, --quiet", "Print no message about the lock or the servers. Wrong usage is printed all the same.");
    static final CommandOption VERBOSE = CommandOption.of("-v, --verbose", "Print on stderr what happens.");

    static CheckedOptions of(Arguments arguments, Terminal terminal) {
        String servers = NodesOptions.fingerprint(arguments);
        LockChoice lock = LockChoice.of(arguments);
        JobRule rule = OncePer.of(arguments, lock);
        HeldLocks.requireNotHeld(lock, servers);
        ProgramOptions program = ProgramOptions.of(arguments);
        String programName = arguments.program().get(0);
        WaitOptions waiting = WaitOptions.of(arguments);
        LockOptions options = LeaseOption.renewed(arguments);
        Duration atLeast = duration(arguments, HOLD_AT_LEAST);
        if (atLeast.compareTo(options.holdLimit()) > 0) {
            throw new Failure(ExitCode.USAGE, "--hold-at-least is longer than --hold-limit; shorten it");
        } else if (arguments.has(QUIET) && arguments.has(VERBOSE)) {
            throw new Failure(ExitCode.USAGE, "-q and -v exclude each other; use one of them");
        }
        return new CheckedOptions(
                lock,
                rule,
                programName,
                servers,
                waiting,
                waiting.apply(options),
                duration(arguments, JITTER),
                atLeast,
                arguments.value(ON_LOST, OnLost::parse).orElse(OnLost.KILL),
                OnUnreachable.of(arguments),
                ExitCodeOptions.of(arguments),
                program,
                Reports.of(arguments, String.join(", ", lock.names()), program.cleanEnvironment(), terminal),
                arguments.has(QUIET));
    }

    private static Duration duration(Arguments arguments, CommandOption option) {
        return arguments.value(option, DurationSyntax::parse).orElse(Duration.ZERO);
    }

    /** Returns the exit code if the command has succeeded, and too few servers have recorded that. */
    int unrecordedCode() {
        return exitCodes.unreachable(onUnreachable);
    }

    /** Returns where the launcher finds the names of the locks that are held. */
    String positions(JointLease lease) {
        return lock.positions(lease, WORDS_BEFORE);
    }

    /** Returns where the launcher finds the names of all locks. */
    String positions() {
        return lock.positions(WORDS_BEFORE);
    }

    /** Returns the retries of a command that runs under this lease. */
    Retries retries(JointLease lease, CommandProcesses command, Terminal terminal) {
        return Retries.whileHeld(lease, command, program.retryDelay(), onLost, terminal);
    }

    /** Starts to watch the command. A lost lock that the user only wants to know about ends no command. */
    Watchdog watchdog(JointLease lease, CommandProcesses command, Terminal terminal) {
        return onLost == OnLost.KILL
                ? Watchdog.start(lease, command, lockOptions.lease(), isQuiet, terminal)
                : Watchdog.idle(lease, command, terminal);
    }
}
