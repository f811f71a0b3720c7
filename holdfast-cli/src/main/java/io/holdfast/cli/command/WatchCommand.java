package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.DurationSyntax;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A live view of locks. */
public final class WatchCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json", "Print one object for each lock, on a line of its own, as `status --json` does.");
    private static final CommandOption INTERVAL =
            CommandOption.of("--interval", "DURATION", "How long between two views. Default: 1s.");
    private static final CommandOption COUNT =
            CommandOption.of("--count", "N", "End after so many views. Default: never.");

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    public WatchCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of(
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
    int operate(LockAdmin admin, Arguments given) throws InterruptedException {
        List<String> names = given.names();
        Duration interval = given.value(INTERVAL, DurationSyntax::parse).orElse(Duration.ofSeconds(1));
        long count = given.value(COUNT, WatchCommand::count).orElse(0L);
        for (long view = 1; ; view++) {
            List<LockStatus> locks = names.isEmpty()
                    ? admin.list()
                    : names.stream().map(admin::status).toList();
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
