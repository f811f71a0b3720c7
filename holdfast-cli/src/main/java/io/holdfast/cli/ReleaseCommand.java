package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.ReleaseOutcome;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Page;

/** Gives a lock up that {@link AcquireCommand} has taken. */
final class ReleaseCommand implements Verb {

    private final Terminal terminal;

    ReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Page page() {
        return Page.of("release", "Gives a lock up that `acquire` has taken.")
                .with(HandleOptions.FLAGS)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Exit code: 0 it was held and is free now; 64 wrong usage; 69 too few nodes
                        answer, and it ends with its lease; 76 it was lost before; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments given) throws InterruptedException {
        terminal.begin(false);
        HandleOptions handles = HandleOptions.of(given);
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.resume(handles.read(), LockOptions.DEFAULT.withRenewal(false));
            ReleaseOutcome outcome = held.release();
            handles.forget();
            return outcome == ReleaseOutcome.UNCONFIRMED ? ExitCode.NO_QUORUM : ExitCode.OK;
        }
    }
}
