package io.holdfast.cli;

import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.util.Locale;

/** What Holdfast does when servers fail, for whoever has not yet believed it. */
final class DemoCommand implements Verb {

    private static final Flag JSON = Flag.of("--json", "Print one object for each line: millis, text.");
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Terminal terminal;
    private final PrintStream out;

    DemoCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Page page() {
        return Page.of("demo", "Shows within 15 seconds what happens to a lock when servers fail.")
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
        try (Demo demo = Demo.begin(text -> print(json, (System.nanoTime() - begun) / 1_000_000, text))) {
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
