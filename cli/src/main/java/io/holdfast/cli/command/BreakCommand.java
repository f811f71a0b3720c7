package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import io.holdfast.node.NodeAnswer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The command {@code break}: takes a lock from its holder. */
public final class BreakCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json", "Print one object: resource, broken, and nodes, each with node and either held or error.");

    public BreakCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("break", "Takes a lock from its holder, after asking for confirmation.")
                .withName("The lock.")
                .with(FORCE, JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        The commands `run` and `keep` notice the loss within about a second, and print
                        who broke the lock. Other clients notice it at their next renewal, at most a
                        third of the lease away, and a suspended holder when it resumes. Until then two
                        clients may use the same resource. The lock of a dead holder needs no break: it
                        ends with its lease.

                        Exit code: 0 the lock is free; 1 not confirmed; 69 too few servers answer.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws IOException {
        LockStatus status = admin.status(arguments.name());
        if (!arguments.has(FORCE) && !isConfirmed(status)) {
            terminal().print("not broken");
            return DECLINED;
        }
        List<NodeAnswer<Boolean>> answers = admin.breakLock(arguments.name(), HolderNote.ofBreaker());
        if (arguments.has(JSON)) {
            out().println(Json.object(fields(arguments.name(), answers)));
        } else {
            answers.forEach(this::print);
        }
        return status.isEndedBy(answers) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private boolean isConfirmed(LockStatus status) throws IOException {
        terminal().print(StatusText.line(status));
        return isConfirmed(
                "break it? Its holder may continue for a while. Type yes to break it, anything else to cancel:");
    }

    private void print(NodeAnswer<Boolean> node) {
        Boolean held = node.value();
        out().println(node.node() + "  " + (held == null ? node.error() : held ? "broken" : "was free"));
    }

    private static Map<String, Object> fields(String resource, List<NodeAnswer<Boolean>> answers) {
        boolean broken = answers.stream().anyMatch(node -> Boolean.TRUE.equals(node.value()));
        return Json.fields(
                "resource", resource,
                "broken", broken,
                "nodes", answers.stream().map(BreakCommand::fields).toList());
    }

    private static Map<String, Object> fields(NodeAnswer<Boolean> node) {
        Boolean held = node.value();
        return held == null
                ? Json.fields("node", node.node(), "error", node.error())
                : Json.fields("node", node.node(), "held", held);
    }
}
