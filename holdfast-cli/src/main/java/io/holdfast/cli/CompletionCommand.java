package io.holdfast.cli;

import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Completion;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;

/** What a shell needs to complete the command. */
final class CompletionCommand implements Verb {

    private final Verbs verbs;
    private final PrintStream out;

    CompletionCommand(Verbs verbs, PrintStream out) {
        this.verbs = verbs;
        this.out = out;
    }

    @Override
    public Page page() {
        return Page.of("completion", "Prints what bash and zsh need to complete commands and options.")
                .ending("  source <(holdfast completion)");
    }

    @Override
    public int run(Arguments given) {
        out.print(Completion.of(verbs.pages("")));
        out.flush();
        return ExitCode.OK;
    }
}
