package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.node.NodeAnswer;
import java.io.PrintStream;
import java.util.List;

/** An operator's word that servers are new. */
public final class AdmitCommand extends AdminCommand {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each server: node, votes, cause.");

    public AdmitCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("adopt", "Lets servers vote at once that have never held a lock.")
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        A server that was restarted, or never used before, does not vote for as long as
                        the longest lease, since it may have forgotten who holds a lock. Say `adopt` for
                        servers that you have just set up, before the first lock. Do not say it for a
                        server that has voted before, or that replaces one: two could hold one lock.

                        Exit code: 0 if all vote, else 69.
                        """);
    }

    @Override
    int operate(LockAdmin admin, Arguments given) {
        List<NodeAnswer<Boolean>> admitted = admin.admit();
        admitted.forEach(node -> out().println(given.has(JSON) ? json(node) : text(node)));
        return admitted.stream().allMatch(NodeAnswer::isPresent) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private static String text(NodeAnswer<Boolean> admitted) {
        return admitted.node() + (admitted.isPresent() ? " votes" : " does not vote: " + admitted.error());
    }

    private static String json(NodeAnswer<Boolean> admitted) {
        return Json.object(
                Json.fields("node", admitted.node(), "votes", admitted.isPresent(), "cause", admitted.error()));
    }
}
