package io.holdfast.cli.command;

import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.IOException;

/** A command of the command line, such as {@code run}. */
public interface Command {

    /** Returns the command's syntax and help text. */
    CommandSpec spec();

    /** Executes the command and returns its exit code. */
    int run(Arguments arguments) throws IOException, InterruptedException;
}
