package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.exit.ExitCode;
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

/** The command {@code watch}: prints locks repeatedly. */
public final class WatchCommand extends AdminCommand {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object per lock and line, with the fields of `status --json`.");
    private static final CommandOption INTERVAL =
            CommandOption.of("--interval", "DURATION", "The time between two views. Default: 1s.");
    private static final CommandOption COUNT =
            CommandOption.of("--count", "N", "Stop after this many views. Default: never.");

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    public WatchCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(
                        "watch", "Prints locks repeatedly until it is stopped: all held locks, or the named ones.")
                .withNames("The locks. Default: all held locks, which needs the right +scan.")
                .with(INTERVAL, COUNT, JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        On a terminal each view replaces the previous one; elsewhere a blank line
                        separates them.

                        Exit code: 0 after --count; 128+n if signal n ended it.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws InterruptedException {
        List<String> names = arguments.names();
        Duration interval = arguments.value(INTERVAL, DurationSyntax::parse).orElse(Duration.ofSeconds(1));
        long count = arguments.value(COUNT, WatchCommand::count).orElse(0L);
        for (long view = 1; ; view++) {
            List<LockStatus> locks = names.isEmpty()
                    ? admin.list()
                    : names.stream().map(admin::status).toList();
            if (arguments.has(JSON)) {
                locks.forEach(status -> out().println(StatusText.json(status)));
            } else {
                out().print((Terminal.isStdoutInteractive() ? CLEAR_SCREEN : view == 1 ? "" : System.lineSeparator())
                        + text(locks, names.isEmpty()));
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
            throw new IllegalArgumentException("'" + text + "' is not a number of views; write one such as 10");
        }
        return Long.parseLong(text);
    }

    private static String text(List<LockStatus> locks, boolean isList) {
        if (locks.isEmpty()) {
            return "no lock is held" + System.lineSeparator();
        }
        return locks.stream()
                .map(status -> isList ? StatusText.line(status) + System.lineSeparator() : StatusText.detail(status))
                .collect(Collectors.joining());
    }
}
