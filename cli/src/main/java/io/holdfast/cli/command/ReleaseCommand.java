package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.lease.ReleaseOutcome;

/** The command {@code release}: releases a lock that {@link AcquireCommand} acquired. */
public final class ReleaseCommand implements Command {

    private final Terminal terminal;

    public ReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("release", "Releases a lock that `acquire` acquired.")
                .with(DetachedLeaseOptions.OPTIONS)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Exit code: 0 released; 64 wrong usage; 69 too few servers answer, so the lock
                        ends with its lease; 76 the lock was already lost; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments arguments) throws InterruptedException {
        terminal.showLog(false);
        DetachedLeaseOptions handleOptions = DetachedLeaseOptions.of(arguments);
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            NodesOptions.requireSameSet(holdfast);
            Lease lease = handleOptions.attach(holdfast, LeaseOption.released(arguments));
            if (lease.release() == ReleaseOutcome.UNCONFIRMED) {
                throw new Failure(
                        ExitCode.NO_QUORUM,
                        "too few servers have confirmed the release of '" + lease.resource()
                                + "'; try again, or let it end with its lease; `holdfast doctor` shows why");
            }
            handleOptions.deleteFile();
            return ExitCode.OK;
        }
    }
}
