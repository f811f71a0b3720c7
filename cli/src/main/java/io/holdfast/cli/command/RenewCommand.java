package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import java.io.PrintStream;

/** The command {@code renew}: extends the lease of a lock that {@link AcquireCommand} acquired. */
public final class RenewCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object: resource, fence, validMillis.");

    private final Terminal terminal;
    private final PrintStream out;

    public RenewCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("renew", "Extends the lease of a lock that `acquire` acquired.")
                .with(LeaseOption.LEASE)
                .with(DetachedLeaseOptions.OPTIONS)
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Exit code: 0 extended; 64 wrong usage; 69 too few servers answer, so the lease
                        ends when it would have ended; 76 the lock is lost; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments arguments) throws InterruptedException {
        terminal.showLog(false);
        LockOptions options = LeaseOption.of(arguments);
        DetachedLeaseOptions handleOptions = DetachedLeaseOptions.of(arguments);
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            NodesOptions.requireSameSet(holdfast);
            Lease lease = handleOptions.attach(holdfast, options);
            if (arguments.has(JSON)) {
                out.println(Json.object(Json.fields(
                        "resource", lease.resource(),
                        "fence", lease.fencingToken().value(),
                        "validMillis", lease.remaining().toMillis())));
            }
            lease.detach();
            return ExitCode.OK;
        }
    }
}
