package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.LockChoice;
import io.holdfast.cli.lock.OncePer;
import io.holdfast.cli.lock.RunLease;
import io.holdfast.cli.lock.RunRecorder;
import io.holdfast.cli.lock.UnknownRuns;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.option.ProgramOptions;
import io.holdfast.cli.option.RunExitCodes;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.LossText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.WaitHint;
import io.holdfast.cli.process.Executable;
import io.holdfast.cli.process.FrequentExtensions;
import io.holdfast.cli.process.HeldLocks;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.LossGuard;
import io.holdfast.cli.process.RunEnd;
import io.holdfast.cli.process.RunningCommand;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.TimeLimit;
import io.holdfast.cli.process.Watchdog;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.report.RunReport;
import io.holdfast.cli.report.UnlockedRun;
import io.holdfast.cli.report.UnreachableServers;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code run}: runs a program while it holds a lock. */
public final class RunCommand implements Command {

    /** The launcher answers much sooner, unless it is stopped. */
    private static final Duration START_LIMIT = Duration.ofSeconds(2);

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
                .with(OncePer.OPTION)
                .with(WaitOptions.OPTIONS)
                .with(RunPlan.JITTER, LeaseOption.RENEWED_LEASE, LeaseOption.HOLD_LIMIT)
                .with(RunPlan.HOLD_AT_LEAST, RunPlan.ON_LOST)
                .with(OnUnreachable.OPTION)
                .with(RunExitCodes.OPTIONS)
                .with(ProgramOptions.OPTIONS)
                .with(Reports.OPTIONS)
                .with(RunPlan.QUIET, RunPlan.VERBOSE)
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
        terminal.showLog(arguments.has(RunPlan.VERBOSE));
        Signals signals = Signals.handle();
        Launcher launcher = Launcher.connect(signals);
        RunPlan plan = RunPlan.of(arguments, terminal);
        if (plan.isQuiet()) {
            terminal.silence();
        }
        try {
            Executable.requireRunnable(plan.programName());
        } catch (Failure e) {
            signals.interruptWaits();
            return reportUnrunnable(plan, e);
        }
        if (plan.onUnreachable() == OnUnreachable.SKIP && !arguments.has(RunPlan.VERBOSE)) {
            // The library would warn of servers in quarantine before the run is skipped.
            terminal.hideLog();
        }
        launcher.configure(
                plan.program().forLauncher(plan.isQuiet(), plan.exitCodes().lost()));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(plan.jitter().toMillis() + 1));
            return contend(arguments, plan, launcher, signals);
        } catch (InterruptedException e) {
            return reportNotRun(plan, RunReport.Outcome.INTERRUPTED, signals.exitCode());
        } catch (Failure e) {
            reportNotRun(plan, RunReport.Outcome.FAILURE, e.exitCode());
            throw e;
        } finally {
            launcher.stop();
        }
    }

    /** Prints the reason before the reports: a hook may take long. It must learn of a job without its program. */
    private int reportUnrunnable(RunPlan plan, Failure reason) {
        terminal.complain(Terminal.printable(String.valueOf(reason.getMessage())));
        plan.reports().ended(RunReport.unrunnable(plan.lock().text(), reason.exitCode()));
        return reason.exitCode();
    }

    /** Returns the exit code. */
    private static int reportNotRun(RunPlan plan, RunReport.Outcome reason, int code) {
        plan.reports().notRun(RunReport.notRun(plan.lock().text(), reason, code, Duration.ZERO));
        return code;
    }

    private int contend(Arguments arguments, RunPlan plan, Launcher launcher, Signals signals)
            throws InterruptedException {
        long start = System.nanoTime();
        UnreachableServers unreachable =
                new UnreachableServers(plan.onUnreachable(), plan.exitCodes(), plan.reports(), terminal);
        String lock = plan.lock().text();
        try {
            return run(arguments, plan, launcher, signals);
        } catch (QuorumUnreachableException e) {
            UnlockedRun unlocked = new UnlockedRun(launcher, signals, plan.program(), plan.reports(), terminal);
            return unreachable.react(e, since(start), lock, plan.positions(), unlocked);
        } catch (UnknownRuns e) {
            return unreachable.react(e, since(start), lock);
        }
    }

    private int run(Arguments arguments, RunPlan plan, Launcher launcher, Signals signals) throws InterruptedException {
        RunReport report;
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            signals.interruptWaits();
            long start = System.nanoTime();
            Optional<RunRecorder> acquired = acquire(holdfast, plan, launcher);
            if (acquired.isEmpty()) {
                return ExitCode.OK;
            }
            report = run(acquired.get(), since(start), plan, launcher, signals, new LossText(holdfast.admin()));
        } catch (LockTimeoutException e) {
            return reportNotRun(plan, RunReport.Outcome.HELD, plan.waiting().exitCode());
        }
        plan.reports().ended(report);
        return report.exitCode();
    }

    private RunReport run(
            RunRecorder recorder, Duration waited, RunPlan plan, Launcher launcher, Signals signals, LossText text)
            throws InterruptedException {
        RunLease lease = recorder.lease();
        long acquired = System.nanoTime();
        terminal.detail("acquired '" + lease.resource() + "', fence " + lease.fencingToken());
        RunningCommand command = launcher.command(lease);
        signals.forwardTo(command);
        try (Watchdog watchdog = plan.watchdog(lease, command);
                FrequentExtensions extensions =
                        FrequentExtensions.start(lease, plan.options().lease());
                TimeLimit limit = TimeLimit.start(plan.program(), lease.resource(), command, terminal)) {
            LossGuard guard = LossGuard.start(lease, command, watchdog, plan.onLost(), text, terminal);
            RunEnd end = new RunEnd(lease, command, guard, terminal);
            launcher.allow(plan.retries(lease, terminal));
            launcher.go(lease, plan.positions(lease), plan.options().lease(), HeldLocks.describe(plan.servers()));
            RunReport report = RunReport.started(lease.lines(), lease.fencingToken(), waited);
            int code;
            try {
                plan.reports().started(report);
                recorder.started(plan.programName(), Launcher.pid(), waited);
                code = await(launcher, end);
            } catch (Throwable failed) {
                // The command must not outlive the lock, which the client releases when it closes.
                end.endCommand();
                throw failed;
            }
            command.markEnded();
            Duration ran = since(acquired);
            watchdog.stop();
            signals.stopForwarding();
            boolean isTimedOut = TimeLimit.stop(limit);
            recorder.ended(isTimedOut ? ExitCode.TIMEOUT : code);
            code = isTimedOut ? plan.exitCodes().timeout() : code;
            end.holdFor(plan.holdAtLeast().minus(ran), plan.options().lease());
            extensions.stop();
            code = recorder.released(end.release(code, plan.exitCodes().lost()), end.wasLost());
            return report.ended(RunReport.Outcome.of(end.wasLost(), isTimedOut, code), code, ran);
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * Acquires the lock for a launcher that is ready to start the command. Returns empty, and holds nothing, if the
     * command need not run.
     */
    private Optional<RunRecorder> acquire(Holdfast holdfast, RunPlan plan, Launcher launcher)
            throws InterruptedException {
        for (boolean isGranted = false; ; isGranted = true) {
            RunRecorder recorder =
                    new RunRecorder(acquire(holdfast, plan), plan.oncePer(), plan.unrecordedCode(), terminal);
            RunLease lease = recorder.lease();
            Optional<Instant> success = recorder.success(plan.programName());
            if (success.isPresent()) {
                lease.release();
                plan.reports().notRun(RunReport.skipped(plan.lock().text(), success.get()));
                return Optional.empty();
            }
            if (!isGranted) {
                launcher.grant(plan.positions(lease));
            }
            if (launcher.startsWithin(START_LIMIT) && lease.isValid()) {
                return Optional.of(recorder);
            }
            // A launcher that Ctrl-Z has stopped must not keep others from the lock before its command runs.
            lease.release();
            launcher.awaitStart();
        }
    }

    /** Waits until the command and what it started have ended. Returns its exit code. */
    private static int await(Launcher launcher, RunEnd end) throws InterruptedException {
        Launcher.End reported = launcher.awaitEnd();
        if (reported.isDeath()) {
            end.endOrphan();
        } else {
            end.awaitRest();
        }
        return reported.code();
    }

    private RunLease acquire(Holdfast holdfast, RunPlan plan) throws InterruptedException {
        WaitHint hint = WaitHint.start(holdfast, plan.lock().resources().get(0), terminal);
        try {
            return plan.waiting().acquire(plan.options(), options -> plan.lock().acquire(holdfast, options));
        } catch (LockTimeoutException e) {
            hint.end();
            plan.waiting().reportNotAcquired(e, holdfast, terminal);
            throw e;
        } finally {
            hint.end();
        }
    }
}
