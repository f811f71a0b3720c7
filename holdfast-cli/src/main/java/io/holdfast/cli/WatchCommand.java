package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.Operator;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A live view of locks. */
@Command(
        name = "watch",
        description = "Shows locks again and again, until you stop it: all that are held, or those that you name.",
        customSynopsis = "holdfast watch [NAME…] [options]",
        footer = {
            "",
            "On a terminal each view replaces the one before; elsewhere a blank line comes between them.",
            "",
            "Exit code: 0 after --count; 128+n if signal n ended it."
        })
final class WatchCommand extends OperatorCommand {

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Parameters(
            index = "0..*",
            paramLabel = "NAME",
            description = "Locks. Default: all that are held, which takes the right to SCAN.")
    private List<String> names = List.of();

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "1s",
            description = "How long between two views. Default: 1s.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many views. Default: never.")
    private long count;

    @Option(
            names = "--json",
            description = "Print one object for each lock, on a line of its own, as `status --json` does.")
    private boolean json;

    WatchCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    int operate(Operator operator) throws InterruptedException {
        for (long view = 1; ; view++) {
            List<LockStatus> locks = names.isEmpty()
                    ? operator.list()
                    : names.stream().map(operator::status).toList();
            if (json) {
                locks.forEach(status -> out().println(StatusText.json(status)));
            } else {
                out().print((Terminal.isScreen() ? CLEAR_SCREEN : view == 1 ? "" : System.lineSeparator())
                        + page(locks));
            }
            out().flush();
            if (view == count || out().checkError()) {
                return ExitCode.OK;
            }
            Thread.sleep(interval.toMillis());
        }
    }

    private String page(List<LockStatus> locks) {
        if (locks.isEmpty()) {
            return "no lock is held" + System.lineSeparator();
        }
        return locks.stream()
                .map(status ->
                        names.isEmpty() ? StatusText.line(status) + System.lineSeparator() : StatusText.page(status))
                .collect(Collectors.joining());
    }
}
