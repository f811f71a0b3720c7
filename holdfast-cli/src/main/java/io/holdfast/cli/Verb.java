package io.holdfast.cli;

import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Page;
import java.io.IOException;

/** One command of the command line. */
interface Verb {

    /** What it understands. */
    Page page();

    /** Does it, and returns the exit code. */
    int run(Arguments given) throws IOException, InterruptedException;
}
