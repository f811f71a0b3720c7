package io.holdfast.cli;

import io.holdfast.Adopted;
import io.holdfast.Holdfast;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** An operator's word that servers are new. */
@Command(
        name = "adopt",
        description = "Lets servers vote at once that have never held a lock.",
        footer = {
            "",
            "A server that was restarted, or never used before, does not vote for as long as the longest lease, since it may",
            "have forgotten who holds a lock. Say `adopt` for servers that you have just set up, before the first lock. Do not",
            "say it for a server that has voted before, or that replaces one: two could hold one lock.",
            "",
            "Exit code: 0 if all vote, else 69."
        })
final class AdoptCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final PrintStream out;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    AdoptCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Integer call() {
        terminal.quiet();
        try (Holdfast holdfast = nodes.connect(terminal)) {
            List<Adopted> adopted = holdfast.operator().adopt();
            adopted.forEach(out::println);
            return adopted.stream().allMatch(Adopted::votes) ? ExitCode.OK : ExitCode.NO_QUORUM;
        }
    }
}
