package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Completion;
import io.holdfast.cli.syntax.FishCompletion;
import io.holdfast.cli.syntax.ZshCompletion;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The commands {@code completion}, {@code completion zsh} and {@code completion fish}: print a completion script. */
public final class CompletionCommand implements Command {

    private final CommandSpec spec;
    private final Function<List<CommandSpec>, String> script;
    private final Supplier<List<CommandSpec>> specs;
    private final PrintStream out;

    private CompletionCommand(
            CommandSpec spec,
            Function<List<CommandSpec>, String> script,
            Supplier<List<CommandSpec>> specs,
            PrintStream out) {
        this.spec = spec;
        this.script = script;
        this.specs = specs;
        this.out = out;
    }

    /** Returns the command for bash, whose script works in zsh as well. */
    public static CompletionCommand bash(Supplier<List<CommandSpec>> specs, PrintStream out) {
        CommandSpec spec = CommandSpec.of(
                        "completion", "Prints a script that completes commands and options in bash and zsh.")
                .withFooter("  source <(holdfast completion)");
        return new CompletionCommand(spec, Completion::of, specs, out);
    }

    /** Returns the command for zsh, whose script describes the options as well. */
    public static CompletionCommand zsh(Supplier<List<CommandSpec>> specs, PrintStream out) {
        CommandSpec spec = CommandSpec.of("completion zsh", "Prints a completion script for zsh, with descriptions.")
                .withFooter("  source <(holdfast completion zsh)");
        return new CompletionCommand(spec, ZshCompletion::of, specs, out);
    }

    /** Returns the command for fish. */
    public static CompletionCommand fish(Supplier<List<CommandSpec>> specs, PrintStream out) {
        CommandSpec spec = CommandSpec.of("completion fish", "Prints a completion script for fish.")
                .withFooter("  holdfast completion fish | source");
        return new CompletionCommand(spec, FishCompletion::of, specs, out);
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public int run(Arguments arguments) {
        out.print(script.apply(specs.get()));
        out.flush();
        return ExitCode.OK;
    }
}
