package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.util.List;

/** Which locks are held. */
final class ListCommand extends OperatorCommand {

    private static final Flag JSON =
            Flag.of("--json", "Print one object for each lock, on a line of its own, as `status --json` does.");

    ListCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of("list", "Shows all locks that are held, one on a line.")
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Goes through all keys of the servers with SCAN, which the user has to be
                        allowed: +scan.

                        Exit code: 0; 69 too few nodes answer; 125 no node can say.
                        """);
    }

    @Override
    int operate(Operator operator, Arguments given) {
        List<LockStatus> locks = operator.list();
        locks.forEach(status -> out().println(given.has(JSON) ? StatusText.json(status) : StatusText.line(status)));
        return locks.stream().allMatch(LockStatus::isQuorum) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
