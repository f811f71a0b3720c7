package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who holds a lock. */
@Command(
        name = "status",
        description = "Shows who holds a lock, and what each server says.",
        customSynopsis = "holdfast status NAME [options]",
        footer = {
            "",
            "Takes no part in the lock: by the time you read it, it may be otherwise. Nothing of it releases a lock.",
            "",
            "Exit code: 0 if it is held; 1 if it is free; 69 too few nodes answer."
        })
final class StatusCommand extends OperatorCommand {

    private static final int FREE = 1;

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--json",
            description =
                    "Print one object: resource, held, disputed, and of the holder: holder, shares, leftMillis, fence, waiting,"
                            + " note; and nodes, each with node and either the same fields or cause.")
    private boolean json;

    StatusCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    int operate(Operator operator) {
        LockStatus status = operator.status(name);
        out().print(json ? StatusText.json(status) + System.lineSeparator() : StatusText.page(status));
        if (!status.isQuorum()) {
            return ExitCode.NO_QUORUM;
        }
        return status.held().isPresent() ? ExitCode.OK : FREE;
    }
}
