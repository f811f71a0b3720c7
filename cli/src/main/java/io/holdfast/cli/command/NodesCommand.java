package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.NodeChange;
import io.holdfast.admin.NodeChange.Access;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.ChangeText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.DurationSyntax;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The commands {@code nodes status}, {@code next} and {@code back}: a change of the servers without a stop. */
public final class NodesCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: present and previous, each all, both or null (unknown): which clients these servers"
                    + " accept; nodes, each with node and either accepts or error; missing, the servers that have not"
                    + " recorded it; left, the names of the locks that clients of one set alone hold, or null if"
                    + " servers that do not answer may know some; and obstacle, why the sets do not fit, or null.");
    private static final CommandOption WAIT = CommandOption.of(
            "-w, --wait",
            "DURATION",
            "If locks of clients that have only the set to be left keep the step from being taken: wait for their"
                    + " release, at most this long.");
    private static final CommandOption AGAIN = CommandOption.of(
            "--again",
            "The servers of one set have lost their data, and the record of the change with it: close the previous ones"
                    + " again after the last step, else begin with the first step again.");

    private static final String STEPS = """
            Start the new servers and admit them. A server of both sets takes part in the
            new one with another database. Then take three steps with `nodes next`:

            1. The servers accept clients of the previous set and of both. Give all
               clients both.
            2. They accept clients of both. Clients of the previous set alone keep their
               locks.
            3. They accept clients of both and of the present set. This step needs the
               release of those locks. Give all clients the present set alone. When no
               client of both is left, stop the previous servers.

            Each call takes one step; `nodes status` prints which one was the last.
            `nodes back` takes one back. A cluster cannot say which clients it accepts.
            """;

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The exit code if locks are left, or a server has missed the step. */
    private static final int INCOMPLETE = 1;

    private final Direction direction;

    /** The three commands. */
    private enum Direction {
        NONE("status", "Prints which clients the servers accept, and which locks clients of one set alone hold."),
        FORTH("next", "Takes the next step from --previous-nodes to --nodes, without a stop."),
        BACK("back", "Takes a step back to --previous-nodes, without a stop.");

        private final String word;
        private final String description;

        Direction(String word, String description) {
            this.word = word;
            this.description = description;
        }
    }

    private NodesCommand(Terminal terminal, PrintStream out, Direction direction) {
        super(terminal, out);
        this.direction = direction;
    }

    /** Creates the command {@code nodes status}. */
    public static NodesCommand status(Terminal terminal, PrintStream out) {
        return new NodesCommand(terminal, out, Direction.NONE);
    }

    /** Creates the command {@code nodes next}. */
    public static NodesCommand next(Terminal terminal, PrintStream out) {
        return new NodesCommand(terminal, out, Direction.FORTH);
    }

    /** Creates the command {@code nodes back}. */
    public static NodesCommand back(Terminal terminal, PrintStream out) {
        return new NodesCommand(terminal, out, Direction.BACK);
    }

    @Override
    public CommandSpec spec() {
        List<CommandOption> own = switch (direction) {
            case NONE -> List.of(JSON);
            case FORTH -> List.of(WAIT, AGAIN, JSON);
            case BACK -> List.of(WAIT, JSON);
        };
        return CommandSpec.of("nodes " + direction.word, direction.description)
                .with(own)
                .with(NodesOptions.OPTIONS)
                .withFooter(STEPS + """

                        Exit code: 0 the state is as printed; 1 locks keep a step from being taken, or
                        a server has missed it; 69 too few servers answer, or the sets do not fit.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws InterruptedException {
        NodeChange change = Failure.instead(ExitCode.USAGE, "", admin::change);
        if (direction == Direction.NONE) {
            return print(change.state(), apart(change), arguments);
        }
        if (direction == Direction.FORTH) {
            requireVotes(admin);
        }
        if (arguments.has(AGAIN)) {
            NodeChange.State state = Failure.instead(ExitCode.NO_QUORUM, "", change::restart);
            return print(state, Optional.of(state.left()), arguments);
        }
        Duration limit = arguments.value(WAIT, DurationSyntax::parse).orElse(Duration.ZERO);
        Supplier<NodeChange.State> step = direction == Direction.FORTH ? change::next : change::back;
        long begin = System.nanoTime();
        NodeChange.State state = Failure.instead(ExitCode.NO_QUORUM, "", step);
        if (!state.left().isEmpty() && !limit.isZero()) {
            terminal().print("waiting for the release of " + ChangeText.names(state.left()));
        }
        while (!state.left().isEmpty() && System.nanoTime() - begin < limit.toNanos()) {
            Thread.sleep(INTERVAL.toMillis());
            state = takenIfPossible(step, state);
        }
        return print(state, Optional.of(state.left()), arguments);
    }

    /** Takes a step, or returns the last state if that is not possible now, as while a server is silent. */
    private static NodeChange.State takenIfPossible(Supplier<NodeChange.State> step, NodeChange.State last) {
        try {
            return step.get();
        } catch (IllegalStateException notNow) {
            return last;
        }
    }

    /** Servers that do not vote yet would grant no lock to clients of both sets. */
    private static void requireVotes(LockAdmin admin) {
        List<NodeStatus> standings = admin.standings();
        long voting = standings.stream().filter(NodeStatus::votes).count();
        if (!Majority.isReachedBy(voting, standings.size())) {
            NodeStatus first =
                    standings.stream().filter(node -> !node.votes()).findFirst().orElseThrow();
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    voting + " of " + standings.size() + " servers of --nodes vote; " + first.name() + ": "
                            + first.cause() + "; new servers vote after `holdfast admit`");
        }
    }

    /** Returns the locks of clients of one set alone; empty if not all servers answer. */
    private Optional<List<LockStatus>> apart(NodeChange change) {
        try {
            return Optional.of(change.apart());
        } catch (IllegalStateException unknown) {
            terminal().print("not known which locks clients of one set alone hold: " + unknown.getMessage());
            return Optional.empty();
        }
    }

    private int print(NodeChange.State state, Optional<List<LockStatus>> left, Arguments arguments) {
        ChangeText change = new ChangeText(state, left);
        if (arguments.has(JSON)) {
            out().println(change.json());
        } else {
            out().print(change.text());
            next(change).ifPresent(line -> out().println(line));
        }
        if (!change.isKnown() || left.isEmpty() || !state.obstacle().isEmpty()) {
            return ExitCode.NO_QUORUM;
        }
        boolean isTaken = direction == Direction.NONE
                || (state.left().isEmpty() && change.missing().isEmpty());
        return isTaken ? ExitCode.OK : INCOMPLETE;
    }

    /** Returns what to do next, in one line. */
    private Optional<String> next(ChangeText change) {
        NodeChange.State state = change.state();
        if (!state.obstacle().isEmpty()) {
            return Optional.empty();
        } else if (!change.missing().isEmpty()) {
            return Optional.of("not recorded by " + String.join(", ", change.missing()) + "; run `holdfast nodes "
                    + (direction == Direction.BACK ? "back" : "next") + "` again when it answers");
        }
        return direction == Direction.NONE ? Optional.empty() : Optional.of("next: " + advice(state));
    }

    private String advice(NodeChange.State state) {
        boolean isBack = direction == Direction.BACK;
        if (!state.left().isEmpty()) {
            return "when these locks are released, run `holdfast nodes " + direction.word + "` again";
        } else if (state.present() == Access.BOTH && state.previous() == Access.BOTH) {
            return "run `holdfast nodes " + direction.word
                    + "`, which needs the release of all locks of clients of the " + (isBack ? "present" : "previous")
                    + " set alone";
        } else if (state.previous() == Access.ALL) {
            return isBack
                    ? "give all clients the previous set alone, then stop the present servers"
                    : "give all clients both sets, then run `holdfast nodes next`";
        }
        return isBack
                ? "give all clients both sets, then run `holdfast nodes back`"
                : "give all clients the present set alone; when no client of both is left, stop the previous servers";
    }
}
