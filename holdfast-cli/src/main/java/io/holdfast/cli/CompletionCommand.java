package io.holdfast.cli;

import java.io.PrintStream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What a shell needs to complete the command. */
@Command(
        name = "completion",
        description = "Prints what bash and zsh need to complete commands and options.",
        footer = {"", "  source <(holdfast completion)"})
final class CompletionCommand implements Runnable {

    private final PrintStream out;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    CompletionCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        out.print(AutoComplete.bash("holdfast", spec.root().commandLine()));
        out.flush();
    }
}
