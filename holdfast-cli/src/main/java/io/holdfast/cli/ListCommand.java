package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Which locks are held. */
@Command(
        name = "list",
        description = "Shows all locks that are held, one on a line.",
        footer = {
            "",
            "Goes through all keys of the servers with SCAN, which the user has to be allowed: +scan.",
            "",
            "Exit code: 0; 69 too few nodes answer; 125 no node can say."
        })
final class ListCommand extends OperatorCommand {

    @Option(
            names = "--json",
            description = "Print one object for each lock, on a line of its own, as `status --json` does.")
    private boolean json;

    ListCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    int operate(Operator operator) {
        List<LockStatus> locks = operator.list();
        locks.forEach(status -> out().println(json ? StatusText.json(status) : StatusText.line(status)));
        return locks.stream().allMatch(LockStatus::isQuorum) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
