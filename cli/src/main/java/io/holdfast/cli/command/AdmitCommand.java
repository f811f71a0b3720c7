package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStatus;
import java.io.IOException;
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
                .with(FORCE, JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        A server that was restarted, or never used before, does not vote for the longest
                        lease and a tenth of it, because it may have forgotten a lock. Run `admit` for
                        servers that you have just set up, before the first lock. Never run it for a
                        server that has voted before or that replaces one: two clients could then hold
                        the same lock. So no server is admitted if another one votes already.
                        Without a quarantine, as with one server or --restarts durable, there is nothing
                        to admit.

                        With another --max-lease or another number of servers than before, `admit`
                        changes those of all servers. Stop all clients first, and wait for the longest
                        lease.

                        Exit code: 0 all servers vote; 1 not confirmed; 69 a server does not vote.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws IOException {
        if (!arguments.has(FORCE) && !isConfirmed(admin.standings())) {
            terminal().print("no server was admitted; `admit --force` does not ask");
            return DECLINED;
        }
        List<NodeAnswer<Boolean>> admitted = admin.admit();
        admitted.forEach(node -> out().println(arguments.has(JSON) ? json(node) : text(node)));
        return admitted.stream().allMatch(NodeAnswer::isPresent) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    /** Asks only if there is a server to admit, or one that belongs to another set. */
    private boolean isConfirmed(List<NodeStatus> standings) throws IOException {
        List<NodeStatus> refused = standings.stream()
                .filter(node -> node.state() == NodeStatus.State.REFUSED || node.state() == NodeStatus.State.CLOSED)
                .toList();
        List<NodeStatus> quarantined = in(NodeStatus.State.QUARANTINED, standings);
        if (!refused.isEmpty()) {
            return isConfirmed(
                    refused,
                    "change the set of " + refused.size() + " of " + standings.size() + " servers? If a client still"
                            + " uses the old one, two clients may hold the same lock. Type yes if all clients were"
                            + " stopped at least one longest lease ago, anything else to cancel:");
        } else if (quarantined.isEmpty() || standings.stream().anyMatch(NodeStatus::votes)) {
            return true;
        }
        return isConfirmed(
                quarantined,
                "admit " + quarantined.size() + " of " + standings.size() + " servers? If one of them was only"
                        + " restarted, two clients may hold the same lock. Type yes if none ever held a lock, anything"
                        + " else to cancel:");
    }

    private static List<NodeStatus> in(NodeStatus.State state, List<NodeStatus> standings) {
        return standings.stream().filter(node -> node.state() == state).toList();
    }

    private boolean isConfirmed(List<NodeStatus> concerned, String question) throws IOException {
        concerned.forEach(node -> terminal().print(node.name() + ": " + node.cause()));
        return isConfirmed(question);
    }

    private static String text(NodeAnswer<Boolean> admitted) {
        return admitted.node() + (admitted.isPresent() ? " votes" : " does not vote: " + admitted.error());
    }

    private static String json(NodeAnswer<Boolean> admitted) {
        return Json.object(
                Json.fields("node", admitted.node(), "votes", admitted.isPresent(), "error", admitted.error()));
    }
}
