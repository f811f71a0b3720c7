package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.ConfigurationManual;
import io.holdfast.cli.syntax.Manual;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** The commands {@code man} and {@code man config}: print a manual page. */
public final class ManCommand implements Command {

    private final CommandSpec spec;
    private final Supplier<String> page;
    private final PrintStream out;

    private ManCommand(CommandSpec spec, Supplier<String> page, PrintStream out) {
        this.spec = spec;
        this.page = page;
        this.out = out;
    }

    /** Returns the command that prints the page of the command. */
    public static ManCommand ofCommand(Supplier<List<CommandSpec>> specs, String version, PrintStream out) {
        CommandSpec spec = CommandSpec.of("man", "Prints the manual page.").withFooter("  holdfast man | man -l -");
        return new ManCommand(spec, () -> Manual.of(specs.get(), "holdfast " + version), out);
    }

    /** Returns the command that prints the page of the configuration file. */
    public static ManCommand ofConfiguration(String version, PrintStream out) {
        CommandSpec spec = CommandSpec.of("man config", "Prints the manual page of the configuration file.")
                .withFooter("  holdfast man config | man -l -");
        return new ManCommand(
                spec, () -> ConfigurationManual.of(NodesOptions.FILE_OPTIONS, "holdfast " + version), out);
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public int run(Arguments arguments) {
        out.print(page.get());
        out.flush();
        return ExitCode.OK;
    }
}
