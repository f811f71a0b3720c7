package io.holdfast.cli.report;

import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.lock.UnknownRuns;
import io.holdfast.cli.option.OnUnreachable;
import io.holdfast.cli.option.RunExitCodes;
import io.holdfast.cli.output.FailureText;
import io.holdfast.cli.output.Terminal;
import java.time.Duration;

/**
 * The end of a run that did not begin, because too few servers can be used.
 *
 * @param wanted the reaction that the user wants
 * @param codes the exit codes
 * @param reports the places that learn of a failure
 * @param terminal prints what happened
 */
public record UnreachableServers(OnUnreachable wanted, RunExitCodes codes, Reports reports, Terminal terminal) {

    /**
     * Fails, skips the command, or runs it without the lock. Returns the exit code.
     *
     * @param tried the time from the first connection attempt
     * @param lock the name of the lock
     * @param positions where the launcher finds the name
     * @param unlocked runs the command
     */
    public int react(
            QuorumUnreachableException e, Duration tried, String lock, String positions, UnlockedRun unlocked) {
        OnUnreachable reaction = wanted.reactionTo(e);
        String failure = FailureText.of(e, tried);
        int code = codes.unreachable(reaction);
        RunReport report = RunReport.notRun(lock, RunReport.Outcome.UNREACHABLE, code, tried);
        switch (reaction) {
            case RUN -> {
                terminal.print("warning: " + failure + "; the command runs WITHOUT the lock");
                return unlocked.run(lock, positions, codes.timeout(), tried);
            }
            case SKIP -> skip(failure, report);
            case FAIL -> {
                terminal.print(failure);
                FailureText.votes(e).ifPresent(terminal::detail);
                reports.ended(report);
            }
        }
        return code;
    }

    /** Fails, or skips the command, because it is unknown whether it has run in its period. Returns the exit code. */
    public int react(UnknownRuns e, Duration tried, String lock) {
        int code = codes.unreachable(wanted);
        RunReport report = RunReport.notRun(lock, RunReport.Outcome.UNREACHABLE, code, tried);
        if (wanted == OnUnreachable.SKIP) {
            skip(String.valueOf(e.getMessage()), report);
        } else {
            terminal.print(e.getMessage() + "; the command was not started. Start the other servers, or run it without"
                    + " --once-per");
            reports.ended(report);
        }
        return code;
    }

    private void skip(String reason, RunReport report) {
        terminal.hint(reason + "; the command was skipped");
        reports.notRun(report);
    }
}
