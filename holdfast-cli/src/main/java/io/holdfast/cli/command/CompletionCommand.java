package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Completion;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** The command {@code completion}: prints a completion script for bash and zsh. */
public final class CompletionCommand implements Command {

    private final Supplier<List<CommandSpec>> specs;
    private final PrintStream out;

    public CompletionCommand(Supplier<List<CommandSpec>> specs, PrintStream out) {
        this.specs = specs;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("completion", "Prints a script that completes commands and options in bash and zsh.")
                .withFooter("  source <(holdfast completion)");
    }

    @Override
    public int run(Arguments arguments) {
        out.print(Completion.of(specs.get()));
        out.flush();
        return ExitCode.OK;
    }
}
