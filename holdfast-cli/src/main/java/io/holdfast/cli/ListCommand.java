package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.LockStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class ListCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final PrintStream out;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Option(
            names = "--json",
            description = "Print one object for each lock, on a line of its own, as `status --json` does.")
    private boolean json;

    ListCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Integer call() {
        terminal.quiet();
        try (Holdfast holdfast = nodes.connect(terminal)) {
            List<LockStatus> locks = holdfast.operator().list();
            locks.forEach(status -> out.println(json ? StatusText.json(status) : StatusText.line(status)));
            return locks.stream().allMatch(LockStatus::isQuorum) ? ExitCode.OK : ExitCode.NO_QUORUM;
        }
    }
}
