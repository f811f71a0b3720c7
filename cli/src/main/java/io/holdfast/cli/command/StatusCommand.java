package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.LockState;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.jobs.LockRuns;
import java.io.PrintStream;
import java.util.List;

/** The command {@code status}: prints the holder of a lock and the state of each node. */
public final class StatusCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: resource, held (null: unknown), disputed, quorum; clients (those that hold it, each with"
                    + " name, pid, connectedSince) and queue (those that wait, with waitsSince as well, the next one"
                    + " first; null: not known); of the holder: holder, sharedHolders,"
                    + " remainingMillis, fence (its token), fenceBound (the greatest token that was reserved for it),"
                    + " waiting, note, retained; lastRun, with the fields of `log --json`, or null; and nodes, each "
                    + "with node and either these fields or error.");

    private static final int FREE = 1;

    public StatusCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("status", "Prints the holder of a lock, its last run, and the reply of each server.")
                .withName("The lock.")
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Only reads. The lock may have changed by the time you read the output.

                        Exit code: 0 the lock is held; 1 it is free; 69 too few servers answer, so it is
                        unknown whether the lock is held.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        LockRuns runs =
                LockRuns.of(admin, List.of(admin.status(arguments.name()))).get(0);
        out().print(arguments.has(JSON) ? StatusText.json(runs) + System.lineSeparator() : StatusText.detail(runs));
        return switch (LockState.of(runs.lock())) {
            case HELD -> ExitCode.OK;
            case FREE, CONTESTED -> FREE;
            case UNKNOWN -> ExitCode.NO_QUORUM;
        };
    }
}
