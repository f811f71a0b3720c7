package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Completion;
import io.holdfast.cli.syntax.Manual;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/**
 * A command that prints a text about all commands.
 *
 * @param spec its syntax
 * @param text returns what it prints
 * @param out receives the text
 */
public record PrintCommand(CommandSpec spec, Supplier<String> text, PrintStream out) implements Command {

    /** Returns the command {@code completion}. */
    public static PrintCommand completion(Supplier<List<CommandSpec>> specs, PrintStream out) {
        CommandSpec spec = CommandSpec.of(
                        "completion", "Prints a script that completes commands and options in bash and zsh.")
                .withFooter("  source <(holdfast completion)");
        return new PrintCommand(spec, () -> Completion.of(specs.get()), out);
    }

    /** Returns the command {@code man}. */
    public static PrintCommand manual(Supplier<List<CommandSpec>> specs, String version, PrintStream out) {
        CommandSpec spec = CommandSpec.of("man", "Prints the manual page.").withFooter("  holdfast man | man -l -");
        return new PrintCommand(spec, () -> Manual.of(specs.get(), "holdfast " + version), out);
    }

    @Override
    public int run(Arguments arguments) {
        out.print(text.get());
        out.flush();
        return ExitCode.OK;
    }
}
