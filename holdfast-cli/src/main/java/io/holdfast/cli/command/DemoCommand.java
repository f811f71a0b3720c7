package io.holdfast.cli.command;

import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.Locale;

/** What Holdfast does when servers fail, for whoever has not yet believed it. */
public final class DemoCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each line: millis, text.");
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Terminal terminal;
    private final PrintStream out;

    public DemoCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("demo", "Shows within 15 seconds what happens to a lock when servers fail.")
                .with(JSON)
                .ending("""
                        Three servers of its own, which it starts and ends, and three workers who want
                        the same lock. It kills a server, freezes another one, thaws it, and starts the
                        first without its data.

                        Exit code: 0; 125 if two held the lock, which would be a defect of Holdfast.
                        """);
    }

    @Override
    public int run(Arguments given) throws InterruptedException {
        terminal.quiet();
        boolean json = given.has(JSON);
        long begun = System.nanoTime();
        try (DemoScript demo = DemoScript.begin(text -> print(json, (System.nanoTime() - begun) / 1_000_000, text))) {
            return demo.play() ? ExitCode.OK : ExitCode.INTERNAL;
        }
    }

    private void print(boolean json, long millis, String text) {
        out.println(
                json
                        ? Json.object(Json.fields("millis", millis, "text", text))
                        : String.format(Locale.ROOT, "%5.1f s  %s", millis / MILLIS_PER_SECOND, text));
        out.flush();
    }
}
