package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.NodeView;
import io.holdfast.Operator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lock from its holder. */
@Command(
        name = "break",
        description = "Takes a lock from whoever holds it, after asking you.",
        customSynopsis = "holdfast break NAME [options]",
        footer = {
            "",
            "The holder is told at its next renewal, a third of its lease later at most; one that is stopped is told when it",
            "wakes. Until then two may work on the same thing. A holder that has died is broken by itself when its lease ends.",
            "",
            "Exit code: 0 if the lock is free now; 1 if you said no; 69 too few nodes answer."
        })
final class BreakCommand extends OperatorCommand {

    private static final int DECLINED = 1;

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--force", description = "Do not ask.")
    private boolean force;

    @Option(
            names = "--json",
            description = "Print one object: resource, broken, and nodes, each with node and either held or cause.")
    private boolean json;

    BreakCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    int operate(Operator operator) throws IOException {
        if (!force && !isMeant(operator.status(name))) {
            terminal().print("left as it is");
            return DECLINED;
        }
        List<NodeView<Boolean>> told = operator.breakLock(name);
        print(told);
        long answered =
                told.stream().filter(node -> node.told().value() != null).count();
        return answered > told.size() / 2 ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private boolean isMeant(LockStatus status) throws IOException {
        terminal().print(StatusText.line(status));
        terminal()
                .print("break it? The one who holds it may go on for a while. Type yes, or anything else to leave it:");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        String answer = in.readLine();
        return answer != null && answer.strip().equals("yes");
    }

    private void print(List<NodeView<Boolean>> told) {
        if (json) {
            boolean broken = told.stream()
                    .anyMatch(node -> Boolean.TRUE.equals(node.told().value()));
            out().println(Json.object(Json.fields(
                    "resource", name,
                    "broken", broken,
                    "nodes", told.stream().map(BreakCommand::fields).toList())));
            return;
        }
        for (NodeView<Boolean> node : told) {
            Boolean held = node.told().value();
            out().println(node.node() + "  " + (held == null ? node.told().cause() : held ? "broken" : "was free"));
        }
    }

    private static Map<String, Object> fields(NodeView<Boolean> node) {
        Boolean held = node.told().value();
        return held == null
                ? Json.fields("node", node.node(), "cause", node.told().cause())
                : Json.fields("node", node.node(), "held", held);
    }
}
