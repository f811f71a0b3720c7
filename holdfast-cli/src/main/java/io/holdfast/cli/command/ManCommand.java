package io.holdfast.cli.command;

import io.holdfast.cli.Command;
import io.holdfast.cli.Commands;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Main;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Manual;
import java.io.PrintStream;

/** The manual page. */
public final class ManCommand implements Command {

    private final Commands verbs;
    private final PrintStream out;

    public ManCommand(Commands verbs, PrintStream out) {
        this.verbs = verbs;
        this.out = out;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("man", "Prints the manual page.").ending("  holdfast man | man -l -");
    }

    @Override
    public int run(Arguments given) {
        out.print(Manual.of(verbs.pages(""), "holdfast " + Main.version()));
        out.flush();
        return ExitCode.OK;
    }
}
