package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.List;

/** Which locks are held. */
public final class ListCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json", "Print one object for each lock, on a line of its own, as `status --json` does.");

    public ListCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("list", "Shows all locks that are held, one on a line.")
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Goes through all keys of the servers with SCAN, which the user has to be
                        allowed: +scan.

                        Exit code: 0; 69 too few nodes answer; 125 no node can say.
                        """);
    }

    @Override
    int operate(LockAdmin admin, Arguments given) {
        List<LockStatus> locks = admin.list();
        locks.forEach(status -> out().println(given.has(JSON) ? StatusText.json(status) : StatusText.line(status)));
        return locks.stream().allMatch(LockStatus::isQuorum) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
