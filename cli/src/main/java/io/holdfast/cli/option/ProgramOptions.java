package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.time.DurationSyntax;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options for the user's command itself.
 *
 * @param timeout how long the command may run; empty means without a limit
 * @param killAfter the time from TERM to KILL when the command has run for too long
 * @param retries how often a command that failed is started again
 * @param retryDelay the pause before it is started again
 * @param cleanEnvironment whether the command gets the variables without secrets only
 */
public record ProgramOptions(
        Optional<Duration> timeout, Duration killAfter, int retries, Duration retryDelay, boolean cleanEnvironment) {

    /** The launcher replaces this option by the program {@code /bin/sh}, so Java finds it only in wrong usage. */
    private static final CommandOption SHELL_COMMAND = CommandOption.of(
            "-c, --command", "COMMAND", "Run this command line by /bin/sh, as in -c 'a | b', instead of -- COMMAND.");

    private static final CommandOption TIMEOUT = CommandOption.of(
            "--timeout",
            "DURATION",
            "End the command if it runs for longer, with all retries: TERM, then KILL; then exit 124.");
    private static final CommandOption KILL_AFTER =
            CommandOption.of("--kill-after", "DURATION", "The time from TERM to KILL with --timeout. Default: 10s.");
    private static final CommandOption RETRIES = CommandOption.of(
            "--retries",
            "COUNT",
            "Run a command that fails again, up to this many times, while the lock is held. The variable"
                    + " HOLDFAST_ATTEMPT counts from 1. Default: 0.");
    private static final CommandOption RETRY_DELAY = CommandOption.of(
            "--retry-delay", "DURATION", "The pause before a command that failed runs again. Default: 10s.");
    private static final CommandOption CLEAN_ENV = CommandOption.of(
            "--clean-env",
            "Remove HOLDFAST_NODES, HOLDFAST_PREVIOUS_NODES, HOLDFAST_PASSWORD, HOLDFAST_SENTINEL_PASSWORD and"
                    + " HOLDFAST_HANDLE, which may contain secrets, from the environment of the command.");

    public static final List<CommandOption> OPTIONS =
            List.of(SHELL_COMMAND, TIMEOUT, KILL_AFTER, RETRIES, RETRY_DELAY, CLEAN_ENV);

    private static final Duration DEFAULT_DELAY = Duration.ofSeconds(10);
    private static final int MOST_RETRIES = 1_000;

    public static ProgramOptions of(Arguments arguments) {
        if (arguments.has(SHELL_COMMAND)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "write -c apart from other options, as in: holdfast run NAME -n -c 'first | second'");
        }
        Optional<Duration> timeout = arguments.value(TIMEOUT, DurationSyntax::parse);
        if (timeout.filter(Duration::isZero).isPresent()) {
            throw new Failure(ExitCode.USAGE, "--timeout 0 leaves no time; omit it for no limit");
        }
        requireWith(arguments, KILL_AFTER, TIMEOUT);
        requireWith(arguments, RETRY_DELAY, RETRIES);
        return new ProgramOptions(
                timeout,
                arguments.value(KILL_AFTER, DurationSyntax::parse).orElse(DEFAULT_DELAY),
                arguments.value(RETRIES, ProgramOptions::count).orElse(0),
                arguments.value(RETRY_DELAY, DurationSyntax::parse).orElse(DEFAULT_DELAY),
                arguments.has(CLEAN_ENV));
    }

    private static void requireWith(Arguments arguments, CommandOption option, CommandOption other) {
        if (arguments.has(option) && !arguments.has(other)) {
            throw new Failure(
                    ExitCode.USAGE,
                    option.name() + " has no effect without " + other.name() + "; add that, or omit both");
        }
    }

    private static int count(String text) {
        return WholeNumber.parse(text, 0, MOST_RETRIES, "is not a number from 0 to " + MOST_RETRIES);
    }

    /**
     * Returns the settings that the launcher needs, in the order in which it reads them.
     *
     * @param isQuiet whether the launcher prints no message about the lock
     * @param onLost what a loss of the lock does to the command
     * @param lostCode its exit code if the lock is lost with this process, and the command is ended
     */
    public String forLauncher(boolean isQuiet, OnLost onLost, int lostCode) {
        return (isQuiet ? "quiet" : "normal") + " " + (onLost == OnLost.KILL ? lostCode : "-") + " " + retries + " "
                + (cleanEnvironment ? "clean" : "whole");
    }
}
