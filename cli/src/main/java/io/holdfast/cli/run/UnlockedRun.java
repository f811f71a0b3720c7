package io.holdfast.cli.run;

import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.CommandProcesses;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.Retries;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.TimeLimit;
import io.holdfast.cli.report.CommandReport;
import io.holdfast.lease.Owner;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * A command that runs without a lock, because its owner has preferred that to no run while the servers are down.
 *
 * @param options the options of the run
 * @param launcher starts the command
 * @param signals the signals that this process and the launcher receive
 * @param terminal prints what happens
 */
record UnlockedRun(CheckedOptions options, Launcher launcher, Signals signals, Terminal terminal) {

    /**
     * Runs the command and returns its exit code.
     *
     * @param tried the time for which the lock was tried
     */
    int start(Duration tried) {
        String name = options.lock().text();
        try {
            launcher.grantWithoutLock(options.positions());
            launcher.awaitStart();
            String owner = Owner.fresh(new SecureRandom()).token();
            CommandProcesses command = launcher.command(owner);
            signals.forwardTo(command);
            CommandReport report = supervise(command, owner, CommandReport.started(name, "", tried));
            options.reports().ended(report);
            return report.exitCode();
        } catch (InterruptedException e) {
            int code = signals.exitCode();
            options.reports().notRun(CommandReport.notRun(name, CommandReport.Outcome.INTERRUPTED, code, tried));
            return code;
        }
    }

    private CommandReport supervise(CommandProcesses command, String owner, CommandReport start)
            throws InterruptedException {
        long nanos = System.nanoTime();
        try (TimeLimit limit = TimeLimit.start(options.program(), start.locks(), command, terminal)) {
            launcher.allow(Retries.withoutLock(command, options.program().retryDelay()));
            launcher.goWithoutLock(owner, options.positions());
            options.reports().started(start);
            Launcher.End end = launcher.awaitEnd();
            if (end.isDeath()) {
                command.end(options.program().killAfter());
            }
            command.markEnded();
            signals.stopForwarding();
            boolean isTimedOut = TimeLimit.stop(limit);
            int code = isTimedOut ? options.exitCodes().timeout() : end.code();
            launcher.result(code);
            return start.ended(CommandReport.Outcome.of(false, isTimedOut, code), code, LockedRun.since(nanos));
        }
    }
}
