package io.holdfast.cli.run;

import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;

/** Checks all options of a run, and starts none. */
public final class DocumentedRun {

    private DocumentedRun() {}

    /** Checks the values of the options, and how they go together. */
    public static void check(Arguments arguments, Terminal terminal) {
        CheckedOptions.of(arguments, terminal);
    }
}
