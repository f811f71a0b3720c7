package io.holdfast.cli.run;

import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.lock.UnknownRuns;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.output.FailureText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.report.CommandReport;
import java.time.Duration;

/**
 * The end of a run that did not begin, because too few servers can be used.
 *
 * @param options the options of the run, with the reaction that the user wants
 * @param terminal prints what happened
 */
record UnreachableServers(CheckedOptions options, Terminal terminal) {

    /**
     * Fails, skips the command, or runs it without the lock. Returns the exit code.
     *
     * @param tried the time from the first connection attempt
     */
    int react(QuorumUnreachableException e, Duration tried, UnlockedRun unlocked) {
        OnUnreachable reaction = options.onUnreachable().reactionTo(e);
        String failure = FailureText.of(e, tried);
        CommandReport report = report(reaction, tried);
        switch (reaction) {
            case RUN -> {
                terminal.print("warning: " + failure + "; the command runs WITHOUT the lock");
                return unlocked.start(tried);
            }
            case SKIP -> skip(failure, report);
            case FAIL -> {
                terminal.print(failure);
                FailureText.replies(e).ifPresent(terminal::detail);
                options.reports().ended(report);
            }
        }
        return report.exitCode();
    }

    /** Fails, or skips the command, because it is unknown whether it has run in its period. Returns the exit code. */
    int react(UnknownRuns e, Duration tried) {
        CommandReport report = report(options.onUnreachable(), tried);
        if (options.onUnreachable() == OnUnreachable.SKIP) {
            skip(String.valueOf(e.getMessage()), report);
        } else {
            terminal.print(e.getMessage() + "; the command was not started. Start the other servers, or run it without"
                    + " --once-per");
            options.reports().ended(report);
        }
        return report.exitCode();
    }

    private CommandReport report(OnUnreachable reaction, Duration tried) {
        int code = options.exitCodes().unreachable(reaction);
        return CommandReport.notRun(options.lock().text(), CommandReport.Outcome.UNREACHABLE, code, tried);
    }

    private void skip(String reason, CommandReport report) {
        terminal.hint(reason + "; the command was skipped");
        options.reports().notRun(report);
    }
}
