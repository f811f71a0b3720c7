package io.holdfast.cli;

import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Manual;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;

/** The manual page. */
final class ManCommand implements Verb {

    private final Verbs verbs;
    private final PrintStream out;

    ManCommand(Verbs verbs, PrintStream out) {
        this.verbs = verbs;
        this.out = out;
    }

    @Override
    public Page page() {
        return Page.of("man", "Prints the manual page.").ending("  holdfast man | man -l -");
    }

    @Override
    public int run(Arguments given) {
        out.print(Manual.of(verbs.pages(""), "holdfast " + Main.version()));
        out.flush();
        return ExitCode.OK;
    }
}
