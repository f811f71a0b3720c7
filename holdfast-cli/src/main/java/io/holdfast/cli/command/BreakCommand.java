package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.node.NodeAnswer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

/** Takes a lock from its holder. */
public final class BreakCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json", "Print one object: resource, broken, and nodes, each with node and either held or cause.");
    private static final CommandOption FORCE = CommandOption.of("--force", "Do not ask.");

    private static final int DECLINED = 1;

    public BreakCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("break", "Takes a lock from whoever holds it, after asking you.")
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
    int operate(LockAdmin admin, Arguments given) throws IOException {
        if (!given.has(FORCE) && !isMeant(admin.status(given.name()))) {
            terminal().print("left as it is");
            return DECLINED;
        }
        List<NodeAnswer<Boolean>> told = admin.breakLock(given.name());
        if (given.has(JSON)) {
            out().println(Json.object(fields(given.name(), told)));
        } else {
            told.forEach(this::print);
        }
        long answered = told.stream().filter(node -> node.value() != null).count();
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

    private void print(NodeAnswer<Boolean> node) {
        Boolean held = node.value();
        out().println(node.node() + "  " + (held == null ? node.error() : held ? "broken" : "was free"));
    }

    private static Map<String, Object> fields(String resource, List<NodeAnswer<Boolean>> told) {
        boolean broken = told.stream().anyMatch(node -> Boolean.TRUE.equals(node.value()));
        return Json.fields(
                "resource", resource,
                "broken", broken,
                "nodes", told.stream().map(BreakCommand::fields).toList());
    }

    private static Map<String, Object> fields(NodeAnswer<Boolean> node) {
        Boolean held = node.value();
        return held == null
                ? Json.fields("node", node.node(), "cause", node.error())
                : Json.fields("node", node.node(), "held", held);
    }
}
