package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.NodeChange;
import io.holdfast.admin.NodeChange.Access;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import io.holdfast.node.NodeAnswer;
import io.holdfast.time.DurationSyntax;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The commands {@code nodes status}, {@code next} and {@code back}: a change of the servers without a stop. */
public final class NodesCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: present and previous, each all, both or null (unknown): which clients these servers"
                    + " accept; nodes, each with node and either accepts or error; and left, the names of the locks"
                    + " that have to be released before the last step.");
    private static final CommandOption WAIT = CommandOption.of(
            "-w, --wait",
            "DURATION",
            "Wait at most this long until no client has a lock on the servers alone that are to be left.");

    private static final String STEPS = """
            Start the new servers and admit them. A server of both sets takes part in the new one
            with another database. Then take three steps with `nodes next`:

            1. The servers accept clients of the previous set and of both. Give all clients both.
            2. They accept clients of both. Clients of the previous set alone keep their locks.
            3. They accept clients of both and of the present set. This step needs the release of
               those locks. Give all clients the present set alone, and stop the previous servers.

            An interrupted step can be repeated, and `nodes back` leads back. A cluster cannot say
            which clients it accepts.
            """;

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The exit code if locks are left. */
    private static final int LEFT = 1;

    private final String name;
    private final String description;
    private final Function<NodeChange, NodeChange.State> step;

    private NodesCommand(
            Terminal terminal,
            PrintStream out,
            String name,
            String description,
            Function<NodeChange, NodeChange.State> step) {
        super(terminal, out);
        this.name = name;
        this.description = description;
        this.step = step;
    }

    /** Creates the command {@code nodes status}. */
    public static NodesCommand status(Terminal terminal, PrintStream out) {
        return new NodesCommand(
                terminal, out, "nodes status", "Prints which clients the servers accept.", NodeChange::state);
    }

    /** Creates the command {@code nodes next}. */
    public static NodesCommand next(Terminal terminal, PrintStream out) {
        return new NodesCommand(
                terminal,
                out,
                "nodes next",
                "Takes the next step from --previous-nodes to --nodes, without a stop.",
                NodeChange::next);
    }

    /** Creates the command {@code nodes back}. */
    public static NodesCommand back(Terminal terminal, PrintStream out) {
        return new NodesCommand(
                terminal,
                out,
                "nodes back",
                "Takes a step back to --previous-nodes, without a stop.",
                NodeChange::back);
    }

    private boolean isStep() {
        return !name.endsWith("status");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.of(name, description);
        return (isStep() ? spec.with(WAIT) : spec)
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter(STEPS + (isStep() ? """

                        Exit code: 0 the step is taken, or there is none; 1 clients of one set alone
                        have locks; 69 too few servers answer, or one of them belongs to another set.
                        """ : """

                        Exit code: 0 the servers answer; 69 too few answer.
                        """));
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws InterruptedException {
        NodeChange change = change(admin);
        Duration limit = isStep() ? arguments.value(WAIT, DurationSyntax::parse).orElse(Duration.ZERO) : Duration.ZERO;
        long begin = System.nanoTime();
        NodeChange.State state = take(change);
        if (!state.left().isEmpty() && !limit.isZero()) {
            terminal()
                    .hint("waiting for the release of " + left(state).size() + " locks, such as "
                            + StatusText.line(state.left().get(0)));
        }
        while (!state.left().isEmpty() && System.nanoTime() - begin < limit.toNanos()) {
            Thread.sleep(INTERVAL.toMillis());
            state = take(change);
        }
        out().print(arguments.has(JSON) ? json(state) + System.lineSeparator() : text(state));
        boolean isKnown = state.present() != Access.UNKNOWN && state.previous() != Access.UNKNOWN;
        return !state.left().isEmpty() ? LEFT : isKnown ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    private static NodeChange change(LockAdmin admin) {
        try {
            return admin.change();
        } catch (IllegalStateException oneSet) {
            throw new Failure(ExitCode.USAGE, String.valueOf(oneSet.getMessage()));
        }
    }

    private NodeChange.State take(NodeChange change) {
        try {
            return step.apply(change);
        } catch (IllegalStateException notTaken) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(notTaken.getMessage()));
        }
    }

    private static String text(NodeChange.State state) {
        StringBuilder text = new StringBuilder();
        state.nodes().forEach(node -> line(text, node.node() + "  " + text(node)));
        state.left().forEach(lock -> line(text, "left: " + StatusText.line(lock)));
        line(text, summary(state));
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append(System.lineSeparator());
    }

    private static String text(NodeAnswer<Access> node) {
        Access access = node.value();
        return access == null
                ? node.error()
                : access == Access.BOTH ? "accepts only clients of both sets" : "accepts all clients of its set";
    }

    private static String summary(NodeChange.State state) {
        if (state.present() == Access.UNKNOWN || state.previous() == Access.UNKNOWN) {
            return "too few servers answer";
        } else if (state.present() == Access.ALL && state.previous() == Access.ALL) {
            return "no change is recorded; run `holdfast nodes next` before a client uses the present servers";
        } else if (state.previous() == Access.ALL) {
            return "clients of the previous set and of both are accepted; give all clients both sets, then run"
                    + " `holdfast nodes next`";
        } else if (state.present() == Access.ALL) {
            return "clients of the present set and of both are accepted; give all clients the present set alone, then"
                    + " stop the previous servers";
        }
        return state.left().isEmpty()
                ? "clients of both sets are accepted; when no other client holds a lock, run `holdfast nodes next`"
                : "clients of both sets are accepted; these locks of other clients have to be released first";
    }

    private static List<String> left(NodeChange.State state) {
        return state.left().stream().map(lock -> lock.resource()).toList();
    }

    private static String json(NodeChange.State state) {
        return Json.object(Json.fields(
                "present",
                word(state.present()),
                "previous",
                word(state.previous()),
                "nodes",
                state.nodes().stream().map(NodesCommand::fields).toList(),
                "left",
                left(state)));
    }

    private static Map<String, Object> fields(NodeAnswer<Access> node) {
        Access access = node.value();
        return access == null
                ? Json.fields("node", node.node(), "error", node.error())
                : Json.fields("node", node.node(), "accepts", word(access));
    }

    private static Object word(Access access) {
        return switch (access) {
            case ALL -> "all";
            case BOTH -> "both";
            case UNKNOWN -> Json.NULL;
        };
    }
}
