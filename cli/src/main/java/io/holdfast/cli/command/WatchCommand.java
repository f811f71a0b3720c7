package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WholeNumber;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.time.DurationSyntax;
import java.io.PrintStream;
import java.time.Duration;

/** The command {@code watch}: prints locks repeatedly. */
public final class WatchCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object per lock and line, with the fields of `status --json`; {error} if too few servers "
                    + "answer.");
    private static final CommandOption INTERVAL =
            CommandOption.of("--interval", "DURATION", "The time between two views, at least 100ms. Default: 1s.");
    private static final CommandOption COUNT =
            CommandOption.of("--count", "N", "Stop after this many views. Default: never.");

    /** Makes a terminal show what follows at its top, and nothing else. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

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
                        separates the views. It goes on while too few servers answer, and says so.

                        Exit code: 0 after --count, 69 if too few servers answered the last time; 128+n
                        if signal n ended it.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws InterruptedException {
        Duration interval = arguments.value(INTERVAL, WatchCommand::interval).orElse(Duration.ofSeconds(1));
        long count = arguments.value(COUNT, WatchCommand::count).orElse(0L);
        boolean json = arguments.has(JSON);
        boolean isTerminal = !json && Terminal.isStdoutInteractive();
        String nl = json ? "" : System.lineSeparator();
        for (long view = 1; ; view++) {
            LockView locks = LockView.of(admin, arguments.names());
            out().print((isTerminal ? CLEAR : view == 1 ? "" : nl) + (json ? locks.json() : locks.text()));
            out().flush();
            if (view == count || out().checkError()) {
                return locks.isKnown() ? ExitCode.OK : ExitCode.NO_QUORUM;
            }
            Thread.sleep(interval.toMillis());
        }
    }

    private static Duration interval(String text) {
        Duration interval = DurationSyntax.parse(text);
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is too short; write at least " + DurationText.setting(SHORTEST_INTERVAL));
        }
        return interval;
    }

    private static long count(String text) {
        return WholeNumber.parse(text, 0, WholeNumber.GREATEST, "is not a number of views; write one such as 10");
    }
}
