package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.NodeView;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

/** Takes a lock from its holder. */
final class BreakCommand extends OperatorCommand {

    private static final Flag JSON = Flag.of(
            "--json", "Print one object: resource, broken, and nodes, each with node and either held or cause.");
    private static final Flag FORCE = Flag.of("--force", "Do not ask.");

    private static final int DECLINED = 1;

    BreakCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of("break", "Takes a lock from whoever holds it, after asking you.")
                .ofName("The lock.")
                .with(FORCE, JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        The holder is told at its next renewal, a third of its lease later at most; one
                        that is stopped is told when it wakes. Until then two may work on the same
                        thing. A holder that has died is broken by itself when its lease ends.

                        Exit code: 0 if the lock is free now; 1 if you said no; 69 too few nodes answer.
                        """);
    }

    @Override
    int operate(Operator operator, Arguments given) throws IOException {
        if (!given.has(FORCE) && !isMeant(operator.status(given.name()))) {
            terminal().print("left as it is");
            return DECLINED;
        }
        List<NodeView<Boolean>> told = operator.breakLock(given.name());
        if (given.has(JSON)) {
            out().println(Json.object(fields(given.name(), told)));
        } else {
            told.forEach(this::print);
        }
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

    private void print(NodeView<Boolean> node) {
        Boolean held = node.told().value();
        out().println(node.node() + "  " + (held == null ? node.told().cause() : held ? "broken" : "was free"));
    }

    private static Map<String, Object> fields(String resource, List<NodeView<Boolean>> told) {
        boolean broken =
                told.stream().anyMatch(node -> Boolean.TRUE.equals(node.told().value()));
        return Json.fields(
                "resource", resource,
                "broken", broken,
                "nodes", told.stream().map(BreakCommand::fields).toList());
    }

    private static Map<String, Object> fields(NodeView<Boolean> node) {
        Boolean held = node.told().value();
        return held == null
                ? Json.fields("node", node.node(), "cause", node.told().cause())
                : Json.fields("node", node.node(), "held", held);
    }
}
