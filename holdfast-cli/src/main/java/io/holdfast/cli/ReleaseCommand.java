package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.ReleaseOutcome;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Gives a lock up that {@link AcquireCommand} has taken. */
@Command(
        name = "release",
        description = "Gives a lock up that `acquire` has taken.",
        customSynopsis = "holdfast release [options]",
        footer = {
            "",
            "Exit code: 0 it was held and is free now; 64 wrong usage; 69 too few nodes answer, and it ends with its lease; 76 it",
            "was lost before; 125 Holdfast failed."
        })
final class ReleaseCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Mixin
    private HandleOptions handles = new HandleOptions();

    ReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        terminal.begin(false);
        try (Holdfast holdfast = nodes.connect(terminal)) {
            Lease held = holdfast.resume(handles.read(), LockOptions.DEFAULT.withRenewal(false));
            ReleaseOutcome outcome = held.release();
            handles.forget();
            return outcome == ReleaseOutcome.UNCONFIRMED ? ExitCode.NO_QUORUM : ExitCode.OK;
        }
    }
}
