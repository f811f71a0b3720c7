package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Manual;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** The command {@code man}: prints the manual page. */
public final class ManCommand implements Command {

    private final Supplier<List<CommandSpec>> specs;
    private final String version;
    private final PrintStream out;

    public ManCommand(Supplier<List<CommandSpec>> specs, String version, PrintStream out) {
        this.specs = specs;
        this.version = version;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("man", "Prints the manual page.").withFooter("  holdfast man | man -l -");
    }

    @Override
    public int run(Arguments arguments) {
        out.print(Manual.of(specs.get(), "holdfast " + version));
        out.flush();
        return ExitCode.OK;
    }
}
