package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;

/** Who holds a lock. */
final class StatusCommand extends OperatorCommand {

    private static final Flag JSON = Flag.of(
            "--json",
            "Print one object: resource, held, disputed, and of the holder: holder, shares, leftMillis, fence, waiting, note; and nodes, each with node and either the same fields or cause.");

    private static final int FREE = 1;

    StatusCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of("status", "Shows who holds a lock, and what each server says.")
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
    int operate(Operator operator, Arguments given) {
        LockStatus status = operator.status(given.name());
        out().print(given.has(JSON) ? StatusText.json(status) + System.lineSeparator() : StatusText.page(status));
        if (!status.isQuorum()) {
            return ExitCode.NO_QUORUM;
        }
        return status.held().isPresent() ? ExitCode.OK : FREE;
    }
}
