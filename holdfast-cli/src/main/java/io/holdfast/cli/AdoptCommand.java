package io.holdfast.cli;

import io.holdfast.Adopted;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.util.List;

/** An operator's word that servers are new. */
final class AdoptCommand extends OperatorCommand {

    private static final Flag JSON = Flag.of("--json", "Print one object for each server: node, votes, cause.");

    AdoptCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of("adopt", "Lets servers vote at once that have never held a lock.")
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
    int operate(Operator operator, Arguments given) {
        List<Adopted> adopted = operator.adopt();
        adopted.forEach(node -> out().println(given.has(JSON) ? json(node) : node));
        return adopted.stream().allMatch(Adopted::votes) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private static String json(Adopted adopted) {
        return Json.object(Json.fields("node", adopted.node(), "votes", adopted.votes(), "cause", adopted.cause()));
    }
}
