package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import java.io.IOException;
import java.io.PrintStream;

/** A command that asks the nodes something beside locks, and prints what they say. */
abstract class OperatorCommand implements Verb {

    private final Terminal terminal;
    private final PrintStream out;

    OperatorCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** Where its results go. */
    final PrintStream out() {
        return out;
    }

    final Terminal terminal() {
        return terminal;
    }

    @Override
    public final int run(Arguments given) throws IOException, InterruptedException {
        terminal.quiet();
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            return operate(holdfast.operator(), given);
        }
    }

    /** Returns the exit code. */
    abstract int operate(Operator operator, Arguments given) throws IOException, InterruptedException;
}
