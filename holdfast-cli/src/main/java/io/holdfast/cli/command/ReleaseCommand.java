package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.lease.ReleaseOutcome;

/** Gives a lock up that {@link AcquireCommand} has taken. */
public final class ReleaseCommand implements Command {

    private final Terminal terminal;

    public ReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("release", "Gives a lock up that `acquire` has taken.")
                .with(DetachedLeaseOptions.FLAGS)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Exit code: 0 it was held and is free now; 64 wrong usage; 69 too few nodes
                        answer, and it ends with its lease; 76 it was lost before; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments given) throws InterruptedException {
        terminal.begin(false);
        DetachedLeaseOptions handles = DetachedLeaseOptions.of(given);
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.attach(handles.read(), LockOptions.builder().renewal(false).build());
            ReleaseOutcome outcome = held.release();
            handles.forget();
            return outcome == ReleaseOutcome.UNCONFIRMED ? ExitCode.NO_QUORUM : ExitCode.OK;
        }
    }
}
