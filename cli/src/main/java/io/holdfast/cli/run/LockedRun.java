package io.holdfast.cli.run;

import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.lock.HistoryRecorder;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.LossText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.WaitHint;
import io.holdfast.cli.process.CommandEnd;
import io.holdfast.cli.process.CommandProcesses;
import io.holdfast.cli.process.FrequentExtensions;
import io.holdfast.cli.process.HeldLocks;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.LossGuard;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.TimeLimit;
import io.holdfast.cli.process.Watchdog;
import io.holdfast.cli.report.CommandReport;
import io.holdfast.cli.syntax.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A command that runs while its lock is held.
 *
 * @param options the options of the run
 * @param launcher starts the command
 * @param signals the signals that this process and the launcher receive
 * @param terminal prints what happens
 */
record LockedRun(CheckedOptions options, Launcher launcher, Signals signals, Terminal terminal) {

    /** The launcher answers much sooner, unless it is stopped. */
    private static final Duration START_LIMIT = Duration.ofSeconds(2);

    /**
     * Acquires the lock, runs the command, and releases the lock. Returns the exit code.
     *
     * @throws LockTimeoutException if another client holds the lock at the end of the wait, after a message
     */
    int contend(Arguments arguments) throws InterruptedException {
        CommandReport report;
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            signals.interruptWaits();
            long start = System.nanoTime();
            Optional<HistoryRecorder> acquired = acquireForLauncher(holdfast);
            if (acquired.isEmpty()) {
                return ExitCode.OK;
            }
            report = supervise(acquired.get(), since(start), new LossText(holdfast.admin()));
        }
        options.reports().ended(report);
        return report.exitCode();
    }

    static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * Acquires the lock for a launcher that is ready to start the command. Returns empty, and holds nothing, if the
     * command need not run.
     */
    private Optional<HistoryRecorder> acquireForLauncher(Holdfast holdfast) throws InterruptedException {
        for (boolean isGranted = false; ; isGranted = true) {
            JointLease lease = acquire(holdfast);
            HistoryRecorder recorder = new HistoryRecorder(lease, options.rule(), options.unrecordedCode(), terminal);
            Optional<Instant> success = recorder.success(options.programName());
            if (success.isPresent()) {
                lease.release();
                options.reports().notRun(CommandReport.skipped(options.lock().text(), success.get()));
                return Optional.empty();
            }
            if (!isGranted) {
                launcher.grant(options.positions(lease));
            }
            if (launcher.startsWithin(START_LIMIT) && lease.isValid()) {
                return Optional.of(recorder);
            }
            // A launcher that Ctrl-Z has stopped must not keep others from the lock before its command runs.
            lease.release();
            launcher.awaitStart();
        }
    }

    private JointLease acquire(Holdfast holdfast) throws InterruptedException {
        WaitHint hint = WaitHint.start(holdfast, options.lock().resources().get(0), terminal);
        try {
            return options.waiting()
                    .acquire(options.lockOptions(), with -> options.lock().acquire(holdfast, with));
        } catch (LockTimeoutException e) {
            hint.end();
            options.waiting().reportNotAcquired(e, holdfast, terminal);
            throw e;
        } finally {
            hint.end();
        }
    }

    /** Lets the command start, keeps its lock until it has ended, and releases the lock. */
    private CommandReport supervise(HistoryRecorder recorder, Duration waited, LossText text)
            throws InterruptedException {
        JointLease lease = recorder.lease();
        Duration leaseTime = options.lockOptions().lease();
        long acquired = System.nanoTime();
        terminal.detail("acquired '" + lease.resource() + "', fence " + lease.fencingToken());
        CommandProcesses command = launcher.command(lease.owner());
        signals.forwardTo(command);
        try (Watchdog watchdog = options.watchdog(lease, command, terminal);
                FrequentExtensions extensions = FrequentExtensions.start(lease, leaseTime);
                TimeLimit limit = TimeLimit.start(options.program(), lease.resource(), command, terminal)) {
            LossGuard guard = LossGuard.start(lease, command, watchdog, options.onLost(), text, terminal);
            CommandEnd end = new CommandEnd(lease, command, guard, terminal);
            launcher.allow(options.retries(lease, command, terminal));
            CommandReport report = CommandReport.started(lease.lines(), lease.fencingToken(), waited);
            int code;
            try {
                launcher.go(lease, options.positions(lease), leaseTime, HeldLocks.describe(options.servers()));
                options.reports().started(report);
                recorder.started(options.programName(), Launcher.pid(), waited);
                code = awaitCommand(end);
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
            code = isTimedOut ? options.exitCodes().timeout() : code;
            launcher.result(end.expectedCode(
                    recorder.exitCode(code), options.exitCodes().lost()));
            end.holdFor(options.holdAtLeast().minus(ran), leaseTime);
            extensions.stop();
            code = recorder.released(end.release(code, options.exitCodes().lost()), end.wasLost());
            return report.ended(CommandReport.Outcome.of(end.wasLost(), isTimedOut, code), code, ran);
        }
    }

    /** Waits until the command and what it started have ended. Returns its exit code. */
    private int awaitCommand(CommandEnd end) throws InterruptedException {
        Launcher.End reported = launcher.awaitEnd();
        if (reported.isDeath()) {
            end.endOrphan();
        } else {
            end.awaitRest();
        }
        return reported.code();
    }
}
