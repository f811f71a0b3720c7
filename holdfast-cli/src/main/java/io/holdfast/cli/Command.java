package io.holdfast.cli;

import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.IOException;

/** One command of the command line. */
public interface Command {

    /** What it understands. */
    CommandSpec page();

    /** Does it, and returns the exit code. */
    int run(Arguments given) throws IOException, InterruptedException;
}
