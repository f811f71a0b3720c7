package io.holdfast.cli.command;

import io.holdfast.cli.Command;
import io.holdfast.cli.Commands;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Completion;
import java.io.PrintStream;

/** What a shell needs to complete the command. */
public final class CompletionCommand implements Command {

    private final Commands verbs;
    private final PrintStream out;

    public CompletionCommand(Commands verbs, PrintStream out) {
        this.verbs = verbs;
        this.out = out;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("completion", "Prints what bash and zsh need to complete commands and options.")
                .ending("  source <(holdfast completion)");
    }

    @Override
    public int run(Arguments given) {
        out.print(Completion.of(verbs.pages("")));
        out.flush();
        return ExitCode.OK;
    }
}
