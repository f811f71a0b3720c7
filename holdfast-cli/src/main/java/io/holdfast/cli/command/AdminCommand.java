package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.Command;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import java.io.IOException;
import java.io.PrintStream;

/** A command that asks the nodes something beside locks, and prints what they say. */
abstract class AdminCommand implements Command {

    private final Terminal terminal;
    private final PrintStream out;

    AdminCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** Where its results go. */
    final PrintStream out() {
        return out;
    }

    public final Terminal terminal() {
        return terminal;
    }

    @Override
    public final int run(Arguments given) throws IOException, InterruptedException {
        terminal.quiet();
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            return operate(holdfast.admin(), given);
        }
    }

    /** Returns the exit code. */
    abstract int operate(LockAdmin admin, Arguments given) throws IOException, InterruptedException;
}
