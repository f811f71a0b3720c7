package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.LockState;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.List;

/** The command {@code list}: prints all held locks. */
public final class ListCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json", "Print one object per lock and line, with the fields of `status --json` except lastRun.");

    public ListCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("list", "Prints all held locks, one per line.")
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Iterates over all keys of the servers with SCAN, for which the user needs the
                        right +scan. Clients that wait for each other are named in a warning.

                        Exit code: 0; 69 too few servers answer, so a held lock may be missing.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        List<LockStatus> locks = Failure.instead(ExitCode.NO_QUORUM, "cannot list the locks: ", admin::list);
        locks.forEach(status -> out().println(arguments.has(JSON) ? StatusText.json(status) : StatusText.line(status)));
        if (!arguments.has(JSON)) {
            admin.waitCycles(locks)
                    .forEach(cycle -> out().println("warning: these clients wait for each other: "
                            + StatusText.cycle(cycle, locks) + "; " + StatusText.CYCLE_REMEDY));
        }
        boolean isKnown = locks.stream().noneMatch(status -> LockState.of(status) == LockState.UNKNOWN);
        return isKnown ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
