package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.util.List;
import java.util.Optional;

/**
 * The exit codes of a run whose command did not end by itself. Each is an option, because cron and systemd treat some
 * codes as failures and others not.
 *
 * @param givenUnreachable if too few servers can be used; empty if the user has not chosen one
 * @param lost if the lock was lost
 * @param timeout if the command ran for too long
 */
public record ExitCodeOptions(Optional<Integer> givenUnreachable, int lost, int timeout) {

    private static final CommandOption UNREACHABLE = CommandOption.of(
            "--unreachable-exit-code", "CODE", "Exit with this code instead of 69 if too few servers can be used.");
    private static final CommandOption LOST =
            CommandOption.of("--lost-exit-code", "CODE", "Exit with this code instead of 76 if the lock was lost.");
    private static final CommandOption TIMEOUT = CommandOption.of(
            "--timeout-exit-code", "CODE", "Exit with this code instead of 124 if --timeout ended the command.");

    public static final List<CommandOption> OPTIONS = List.of(UNREACHABLE, LOST, TIMEOUT);

    public static ExitCodeOptions of(Arguments arguments) {
        return new ExitCodeOptions(
                arguments.value(UNREACHABLE, ExitCode::parse),
                code(arguments, LOST, ExitCode.LOST),
                code(arguments, TIMEOUT, ExitCode.TIMEOUT));
    }

    /** Returns the exit code if too few servers can be used. */
    public int unreachable(OnUnreachable reaction) {
        return givenUnreachable.orElse(reaction == OnUnreachable.SKIP ? ExitCode.OK : ExitCode.NO_QUORUM);
    }

    private static int code(Arguments arguments, CommandOption option, int usual) {
        return arguments.value(option, ExitCode::parse).orElse(usual);
    }
}
