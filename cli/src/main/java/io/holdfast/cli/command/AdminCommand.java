package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** An administrative command: connects, queries or changes the state of the nodes, and prints the result. */
abstract class AdminCommand implements Command {

    static final CommandOption FORCE = CommandOption.of("--force", "Do not ask for confirmation.");

    /** The exit code if the user has not confirmed. */
    static final int DECLINED = 1;

    private final Terminal terminal;
    private final PrintStream out;

    AdminCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** Returns the stream for results. */
    final PrintStream out() {
        return out;
    }

    final Terminal terminal() {
        return terminal;
    }

    @Override
    public final int run(Arguments arguments) throws IOException, InterruptedException {
        terminal.hideLog();
        try (Holdfast holdfast = NodesOptions.connectForAdmin(arguments, terminal)) {
            return execute(holdfast.admin(), arguments);
        }
    }

    /** Asks a question on stderr. Returns whether the user has typed {@code yes}. */
    final boolean isConfirmed(String question) throws IOException {
        terminal.print(question);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        String answer = in.readLine();
        return answer != null && answer.strip().equals("yes");
    }

    /** Executes the command with a connected client and returns the exit code. */
    abstract int execute(LockAdmin admin, Arguments arguments) throws IOException, InterruptedException;
}
