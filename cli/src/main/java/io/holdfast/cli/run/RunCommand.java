package io.holdfast.cli.run;

import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.command.Command;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.exit.FailureReport;
import io.holdfast.cli.lock.LockChoice;
import io.holdfast.cli.lock.OncePer;
import io.holdfast.cli.lock.UnknownRuns;
import io.holdfast.cli.option.ExitCodeOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.option.ProgramOptions;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Executable;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.report.CommandReport;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code run}: runs a program while it holds a lock. */
public final class RunCommand implements Command {

    private final Terminal terminal;

    public RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("run", "Runs a command while holding a lock.")
                .withOneOrMoreNames(
                        "The lock; all machines that use the same name contend. Several: all of them or none.")
                .withProgram("The program to run, without a shell.")
                .with(LockChoice.OPTIONS)
                .with(OncePer.OPTION, OncePer.EXPECT_EVERY)
                .with(WaitOptions.OPTIONS)
                .with(CheckedOptions.JITTER, LeaseOption.RENEWED_LEASE, LeaseOption.HOLD_LIMIT)
                .with(CheckedOptions.HOLD_AT_LEAST, CheckedOptions.ON_LOST)
                .with(OnUnreachable.OPTION)
                .with(ExitCodeOptions.OPTIONS)
                .with(ProgramOptions.OPTIONS)
                .with(Reports.OPTIONS)
                .with(CheckedOptions.QUIET, CheckedOptions.VERBOSE)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Exit code: the command's own; 128+n if signal n ended it; 64 wrong usage; 69
                        too few servers answer; 75 not acquired; 76 the lock was lost; 124 the command
                        ran for too long; 125 Holdfast failed; 126/127 the command cannot be run.

                        A restarted server does not vote for a while. If no majority of other servers is
                        left, all clients wait for it, even with -n.

                        With --once-per, omit -n: the next machine runs the command if the first
                        one fails. A skipped run exits with 0, without a message. Exit code 69 also
                        means that too few servers know or have recorded whether the command ran.

                        The environment of the command contains HOLDFAST_RESOURCE, HOLDFAST_FENCE (empty
                        without a lock), HOLDFAST_OWNER and HOLDFAST_LEASE_MS; with --retries also
                        HOLDFAST_ATTEMPT. With --slots, the resource is NAME/1 to NAME/N. Of several
                        locks, it has one name per line, in alphabetical order; fences and owners are
                        in that order, with commas between them. That of a hook contains
                        HOLDFAST_RESOURCE, HOLDFAST_FENCE, HOLDFAST_RESULT (running, success, failure,
                        lost, timeout, unreachable), HOLDFAST_EXIT_CODE, HOLDFAST_DURATION_MS and
                        HOLDFAST_WAIT_MS. A hook that fails changes no exit code; it may take 30 s, an
                        address two times 10 s.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        terminal.showLog(arguments.has(CheckedOptions.VERBOSE));
        Signals signals = Signals.handle();
        Launcher launcher = Launcher.connect(signals);
        CheckedOptions options = CheckedOptions.of(arguments, terminal);
        if (options.isQuiet()) {
            terminal.silence();
        }
        try {
            Executable.requireRunnable(options.programName());
        } catch (Failure e) {
            return reportFailure(options, signals, e, CommandReport.Outcome.FAILURE);
        }
        if (options.onUnreachable() == OnUnreachable.SKIP && !arguments.has(CheckedOptions.VERBOSE)) {
            // The library would warn of servers in quarantine before the run is skipped.
            terminal.hideLog();
        }
        launcher.configure(options.program()
                .forLauncher(
                        options.isQuiet(), options.onLost(), options.exitCodes().lost()));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(options.jitter().toMillis() + 1));
            return lockOrReact(arguments, options, launcher, signals);
        } catch (LockTimeoutException e) {
            return reportNotRun(
                    options, CommandReport.Outcome.HELD, options.waiting().exitCode());
        } catch (InterruptedException e) {
            return reportNotRun(options, CommandReport.Outcome.INTERRUPTED, signals.exitCode());
        } catch (RuntimeException | Error e) {
            return reportFailure(options, signals, e, CommandReport.Outcome.ERROR);
        } finally {
            launcher.stop();
        }
    }

    /** Prints the reason before the reports: a hook may take long. It must learn of a job that cannot run. */
    private int reportFailure(
            CheckedOptions options, Signals signals, Throwable reason, CommandReport.Outcome outcome) {
        signals.interruptWaits();
        int code = FailureReport.print(reason, terminal);
        options.reports().ended(CommandReport.notRun(options.lock().text(), outcome, code, Duration.ZERO));
        return code;
    }

    /** Returns the exit code. */
    private static int reportNotRun(CheckedOptions options, CommandReport.Outcome reason, int code) {
        options.reports().notRun(CommandReport.notRun(options.lock().text(), reason, code, Duration.ZERO));
        return code;
    }

    private int lockOrReact(Arguments arguments, CheckedOptions options, Launcher launcher, Signals signals)
            throws InterruptedException {
        long start = System.nanoTime();
        try {
            return new LockedRun(options, launcher, signals, terminal).contend(arguments);
        } catch (QuorumUnreachableException e) {
            UnlockedRun unlocked = new UnlockedRun(options, launcher, signals, terminal);
            return new UnreachableServers(options, terminal).react(e, LockedRun.since(start), unlocked);
        } catch (UnknownRuns e) {
            return new UnreachableServers(options, terminal).react(e, LockedRun.since(start));
        }
    }
}
