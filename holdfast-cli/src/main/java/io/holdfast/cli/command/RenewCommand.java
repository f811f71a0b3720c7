package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;

/** Keeps a lock that {@link AcquireCommand} has taken. */
public final class RenewCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print an object: resource, fence, validMillis.");

    private final Terminal terminal;
    private final PrintStream out;

    public RenewCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("renew", "Keeps a lock that `acquire` has taken for longer.")
                .with(LeaseOption.LEASE)
                .with(DetachedLeaseOptions.FLAGS)
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Exit code: 0 it is held for as long again; 64 wrong usage; 69 too few nodes
                        answer, and it is held for as long as it was; 76 it is lost; 125 Holdfast
                        failed.
                        """);
    }

    @Override
    public int run(Arguments given) throws InterruptedException {
        terminal.begin(false);
        LockOptions options = LeaseOption.of(given);
        DetachedLeaseOptions handles = DetachedLeaseOptions.of(given);
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.attach(handles.read(), options);
            if (given.has(JSON)) {
                out.println(Json.object(Json.fields(
                        "resource", held.resource(),
                        "fence", held.fencingToken().value(),
                        "validMillis", held.remaining().toMillis())));
            }
            held.detach();
            return ExitCode.OK;
        }
    }
}
