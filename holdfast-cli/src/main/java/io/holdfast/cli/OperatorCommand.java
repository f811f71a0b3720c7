package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Operator;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks the nodes something beside locks, and prints what they say. */
abstract class OperatorCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final PrintStream out;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

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
    public final Integer call() throws IOException, InterruptedException {
        terminal.quiet();
        try (Holdfast holdfast = nodes.connect(terminal)) {
            return operate(holdfast.operator());
        }
    }

    /** Returns the exit code. */
    abstract int operate(Operator operator) throws IOException, InterruptedException;
}
