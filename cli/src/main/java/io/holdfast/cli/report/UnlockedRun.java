package io.holdfast.cli.report;

import io.holdfast.cli.option.ProgramOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.Retries;
import io.holdfast.cli.process.RunningCommand;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.TimeLimit;
import io.holdfast.lease.Owner;
import java.security.SecureRandom;
import java.time.Duration;

/** A command that runs without a lock, because its owner has preferred that to no run while the servers are down. */
public final class UnlockedRun {

    private final Launcher launcher;
    private final Signals signals;
    private final ProgramOptions options;
    private final Reports reports;
    private final Terminal terminal;

    public UnlockedRun(Launcher launcher, Signals signals, ProgramOptions options, Reports reports, Terminal terminal) {
        this.launcher = launcher;
        this.signals = signals;
        this.options = options;
        this.reports = reports;
        this.terminal = terminal;
    }

    /**
     * Runs the command and returns its exit code.
     *
     * @param positions where the script finds the names, as for {@link Launcher#grant}
     * @param timeoutCode the exit code if the command ran for too long
     * @param tried the time for which the lock was tried
     */
    public int run(String name, String positions, int timeoutCode, Duration tried) {
        try {
            launcher.grantWithoutLock(positions);
            launcher.awaitStart();
            String owner = Owner.fresh(new SecureRandom()).token();
            RunningCommand command = launcher.command(owner);
            signals.forwardTo(command);
            RunReport report = RunReport.started(name, "", tried);
            report = run(command, owner, positions, timeoutCode, report);
            reports.ended(report);
            return report.exitCode();
        } catch (InterruptedException e) {
            int code = signals.exitCode();
            reports.notRun(RunReport.notRun(name, RunReport.Outcome.INTERRUPTED, code, tried));
            return code;
        }
    }

    private RunReport run(RunningCommand command, String owner, String positions, int timeoutCode, RunReport start)
            throws InterruptedException {
        long nanos = System.nanoTime();
        try (TimeLimit limit = TimeLimit.start(options, start.locks(), command, terminal)) {
            launcher.allow(Retries.withoutLock(options.retryDelay()));
            launcher.goWithoutLock(owner, positions);
            reports.started(start);
            Launcher.End end = launcher.awaitEnd();
            if (end.isDeath()) {
                command.end(options.killAfter());
            }
            command.markEnded();
            signals.stopForwarding();
            boolean isReached = TimeLimit.stop(limit);
            int code = isReached ? timeoutCode : end.code();
            Duration ran = Duration.ofNanos(System.nanoTime() - nanos);
            return start.ended(RunReport.Outcome.of(false, isReached, code), code, ran);
        }
    }
}
