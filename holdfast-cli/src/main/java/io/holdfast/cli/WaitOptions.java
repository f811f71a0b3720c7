package io.holdfast.cli;

import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long to wait for a lock that another holds, and what it means if that was in vain. */
final class WaitOptions {

    /** How long too few answering nodes are borne with: a restart, not an outage. */
    private static final Duration UNREACHABLE_LIMIT = Duration.ofSeconds(10);

    private static final int MAX_EXIT_CODE = 255;

    @Option(
            names = {"-n", "--no-wait"},
            description = "If another holds the lock, exit 75 at once. Default: wait for ever.")
    private boolean noWait;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Wait that long, such as 500ms, 30s or 1h30m, then exit 75.")
    private @Nullable Duration wait;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            defaultValue = "75",
            description = "Exit with this code instead of 75.")
    private int conflictExitCode;

    @Option(
            names = "--fair",
            description =
                    "Let nobody in before those who have waited for longer; all who want the lock have to say so.")
    private boolean fair;

    /** The same options with this way of waiting. */
    LockOptions apply(LockOptions options) {
        if (noWait && wait != null) {
            throw new Failure(ExitCode.USAGE, "-n and -w exclude each other; give one of them");
        }
        if (conflictExitCode < 0 || conflictExitCode > MAX_EXIT_CODE) {
            throw new Failure(ExitCode.USAGE, "-E " + conflictExitCode + " is no exit code; give one from 0 to 255");
        }
        return options.withFair(fair)
                .withUnreachableLimit(UNREACHABLE_LIMIT)
                .withWaitLimit(noWait ? Duration.ZERO : wait == null ? LockOptions.FOREVER : wait);
    }

    /** Who says {@code -n} expects it: a line from cron at each firing is a mail that nobody wants. */
    int tellNotAcquired(LockTimeoutException e, Terminal terminal) {
        String line = String.valueOf(e.getMessage());
        if (noWait) {
            terminal.hint(line);
        } else {
            terminal.print(line);
        }
        return conflictExitCode;
    }
}
