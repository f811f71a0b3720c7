package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A live view of locks. */
final class WatchCommand extends OperatorCommand {

    private static final Flag JSON =
            Flag.of("--json", "Print one object for each lock, on a line of its own, as `status --json` does.");
    private static final Flag INTERVAL = Flag.of("--interval", "DURATION", "How long between two views. Default: 1s.");
    private static final Flag COUNT = Flag.of("--count", "N", "End after so many views. Default: never.");

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    WatchCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of(
                        "watch",
                        "Shows locks again and again, until you stop it: all that are held, or those that you name.")
                .ofNames("Locks. Default: all that are held, which takes the right to SCAN.")
                .with(INTERVAL, COUNT, JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        On a terminal each view replaces the one before; elsewhere a blank line comes
                        between them.

                        Exit code: 0 after --count; 128+n if signal n ended it.
                        """);
    }

    @Override
    int operate(Operator operator, Arguments given) throws InterruptedException {
        List<String> names = given.names();
        Duration interval = given.value(INTERVAL, Durations::parse).orElse(Duration.ofSeconds(1));
        long count = given.value(COUNT, WatchCommand::count).orElse(0L);
        for (long view = 1; ; view++) {
            List<LockStatus> locks = names.isEmpty()
                    ? operator.list()
                    : names.stream().map(operator::status).toList();
            if (given.has(JSON)) {
                locks.forEach(status -> out().println(StatusText.json(status)));
            } else {
                out().print((Terminal.isScreen() ? CLEAR_SCREEN : view == 1 ? "" : System.lineSeparator())
                        + page(locks, names.isEmpty()));
            }
            out().flush();
            if (view == count || out().checkError()) {
                return ExitCode.OK;
            }
            Thread.sleep(interval.toMillis());
        }
    }

    private static long count(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("'" + text + "' is no number of views; write one such as 10");
        }
        return Long.parseLong(text);
    }

    private static String page(List<LockStatus> locks, boolean isList) {
        if (locks.isEmpty()) {
            return "no lock is held" + System.lineSeparator();
        }
        return locks.stream()
                .map(status -> isList ? StatusText.line(status) + System.lineSeparator() : StatusText.page(status))
                .collect(Collectors.joining());
    }
}
