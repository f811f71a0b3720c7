package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;

/** Who holds a lock. */
public final class StatusCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: resource, held, disputed, and of the holder: holder, shares, leftMillis, fence, waiting, note; and nodes, each with node and either the same fields or cause.");

    private static final int FREE = 1;

    public StatusCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("status", "Shows who holds a lock, and what each server says.")
                .ofName("The lock.")
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Takes no part in the lock: by the time you read it, it may be otherwise. Nothing
                        of it releases a lock.

                        Exit code: 0 if it is held; 1 if it is free; 69 too few nodes answer.
                        """);
    }

    @Override
    int operate(LockAdmin admin, Arguments given) {
        LockStatus status = admin.status(given.name());
        out().print(given.has(JSON) ? StatusText.json(status) + System.lineSeparator() : StatusText.page(status));
        if (!status.isQuorum()) {
            return ExitCode.NO_QUORUM;
        }
        return status.held().isPresent() ? ExitCode.OK : FREE;
    }
}
