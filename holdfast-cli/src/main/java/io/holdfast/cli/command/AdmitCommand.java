package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.node.NodeAnswer;
import java.io.PrintStream;
import java.util.List;

/** The command {@code admit}: an administrator's statement that servers have never held a lock. */
public final class AdmitCommand extends AdminCommand {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each server: node, votes, error.");

    public AdmitCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("admit", "Lets new servers vote at once, without a quarantine.")
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        A server that was restarted, or never used before, does not vote for the length
                        of the longest lease, because it may have forgotten a lock. Run `admit` for
                        servers that you have just set up, before the first lock. Never run it for a
                        server that has voted before or that replaces one: two clients could then hold
                        the same lock.

                        Exit code: 0 if all servers vote, else 69.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        List<NodeAnswer<Boolean>> admitted = admin.admit();
        admitted.forEach(node -> out().println(arguments.has(JSON) ? json(node) : text(node)));
        return admitted.stream().allMatch(NodeAnswer::isPresent) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private static String text(NodeAnswer<Boolean> admitted) {
        return admitted.node() + (admitted.isPresent() ? " votes" : " does not vote: " + admitted.error());
    }

    private static String json(NodeAnswer<Boolean> admitted) {
        return Json.object(
                Json.fields("node", admitted.node(), "votes", admitted.isPresent(), "error", admitted.error()));
    }
}
