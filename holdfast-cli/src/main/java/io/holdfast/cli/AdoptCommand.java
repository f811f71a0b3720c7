package io.holdfast.cli;

import io.holdfast.Adopted;
import io.holdfast.Operator;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class AdoptCommand extends OperatorCommand {

    @Option(names = "--json", description = "Print one object for each server: node, votes, cause.")
    private boolean json;

    AdoptCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    int operate(Operator operator) {
        List<Adopted> adopted = operator.adopt();
        adopted.forEach(node -> out().println(json ? json(node) : node));
        return adopted.stream().allMatch(Adopted::votes) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private static String json(Adopted adopted) {
        return Json.object(Json.fields("node", adopted.node(), "votes", adopted.votes(), "cause", adopted.cause()));
    }
}
