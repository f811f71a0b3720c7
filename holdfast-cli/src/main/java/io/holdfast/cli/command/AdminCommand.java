package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import java.io.IOException;
import java.io.PrintStream;

/** An administrative command: connects, queries or changes the state of the nodes, and prints the result. */
abstract class AdminCommand implements Command {

    private final Terminal terminal;
    private final PrintStream out;

    AdminCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** Returns the stream for results. */
    final PrintStream out() {
        return out;
    }

    final Terminal terminal() {
        return terminal;
    }

    @Override
    public final int run(Arguments arguments) throws IOException, InterruptedException {
        terminal.hideLog();
        try (Holdfast holdfast = NodesOptions.connectForAdmin(arguments, terminal)) {
            return execute(holdfast.admin(), arguments);
        }
    }

    /** Executes the command with a connected client and returns the exit code. */
    abstract int execute(LockAdmin admin, Arguments arguments) throws IOException, InterruptedException;
}
