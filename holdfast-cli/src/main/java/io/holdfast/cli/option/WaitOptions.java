package io.holdfast.cli.option;

import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long to wait for a lock that another holds, and what it means if that was in vain.
 *
 * @param noWait whether not to wait for another
 * @param limit how long to wait; empty: for ever
 * @param exitCode what to exit with if that was too short
 * @param fair whether those who have waited for longer come first
 */
public record WaitOptions(boolean noWait, Optional<Duration> limit, int exitCode, boolean fair) {

    private static final CommandOption NO_WAIT =
            CommandOption.of("-n, --no-wait", "If another holds the lock, exit 75 at once. Default: wait for ever.");
    private static final CommandOption WAIT =
            CommandOption.of("-w, --wait", "DURATION", "Wait that long, such as 500ms, 30s or 1h30m, then exit 75.");
    private static final CommandOption CONFLICT_EXIT_CODE =
            CommandOption.of("-E, --conflict-exit-code", "CODE", "Exit with this code instead of 75.");
    private static final CommandOption FAIR = CommandOption.of(
            "--fair", "Let nobody in before those who have waited for longer; all who want the lock have to say so.");

    public static final List<CommandOption> FLAGS = List.of(NO_WAIT, WAIT, CONFLICT_EXIT_CODE, FAIR);

    /** A restart takes less, an outage more. */
    private static final Duration UNREACHABLE_LIMIT = Duration.ofSeconds(10);

    /** With {@code -n}: as long as a connection may take to be made. Being longer than no wait at all, it includes a quarantine. */
    private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(2);

    private static final int MAX_EXIT_CODE = 255;

    public static WaitOptions of(Arguments given) {
        Optional<Duration> limit = given.value(WAIT, DurationSyntax::parse);
        if (given.has(NO_WAIT) && limit.isPresent()) {
            throw new Failure(ExitCode.USAGE, "-n and -w exclude each other; give one of them");
        }
        return new WaitOptions(
                given.has(NO_WAIT),
                limit,
                given.value(CONFLICT_EXIT_CODE, WaitOptions::exitCode).orElse(ExitCode.NOT_ACQUIRED),
                given.has(FAIR));
    }

    private static int exitCode(String text) {
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > MAX_EXIT_CODE) {
            throw new IllegalArgumentException("'" + text + "' is no exit code; give one from 0 to 255");
        }
        return Integer.parseInt(text);
    }

    /**
     * The same options with this way of waiting. Also with {@code -n} a command waits for servers that are not reached yet or are in
     * quarantine: of many jobs that give up at once, none might ever run.
     */
    public LockOptions apply(LockOptions options) {
        return options.toBuilder()
                .fair(fair)
                .unreachableLimit(noWait ? CONNECTION_LIMIT : atMost(UNREACHABLE_LIMIT))
                .waitLimit(noWait ? Duration.ZERO : limit.orElse(LockOptions.FOREVER))
                .build();
    }

    private Duration atMost(Duration unreachable) {
        return limit.filter(wait -> wait.compareTo(unreachable) < 0).orElse(unreachable);
    }

    /** Who says {@code -n} expects it: a line from cron at each firing is a mail that nobody wants. */
    public int tellNotAcquired(LockTimeoutException e, Terminal terminal) {
        String line = String.valueOf(e.getMessage());
        if (noWait) {
            terminal.hint(line);
        } else {
            terminal.print(line);
        }
        return exitCode;
    }
}
