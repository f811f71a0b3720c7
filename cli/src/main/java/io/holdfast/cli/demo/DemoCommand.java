package io.holdfast.cli.demo;

import io.holdfast.cli.command.Command;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import java.io.PrintStream;
import java.util.Locale;

/** The command {@code demo}: shows how a lock behaves while servers fail. */
public final class DemoCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each event: millis, subject, change, text.");
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Terminal terminal;
    private final PrintStream out;

    public DemoCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("demo", "Shows in 15 seconds how a lock behaves when servers fail.")
                .with(JSON)
                .withFooter("""
                        Starts three servers and three workers that contend for one lock. Kills a
                        server, freezes another one, thaws it, and restarts the first one without its
                        data.

                        Exit code: 0; 125 if two workers held the lock at a time, which would be a
                        defect of Holdfast.
                        """);
    }

    @Override
    public int run(Arguments arguments) throws InterruptedException {
        terminal.hideLog();
        boolean json = arguments.has(JSON);
        long start = System.nanoTime();
        try (DemoScript demo = DemoScript.start(event -> print(json, (System.nanoTime() - start) / 1_000_000, event))) {
            return demo.play() ? ExitCode.OK : ExitCode.INTERNAL;
        }
    }

    private void print(boolean json, long millis, DemoEvent event) {
        if (json) {
            out.println(Json.object(Json.fields(
                    "millis", millis, "subject", event.subject(), "change", event.change(), "text", event.text())));
        } else if (!event.text().isEmpty()) {
            out.println(String.format(Locale.ROOT, "%5.1f s  %s", millis / MILLIS_PER_SECOND, event.text()));
        }
        out.flush();
    }
}
