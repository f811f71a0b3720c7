package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;

/** Keeps a lock that {@link AcquireCommand} has taken. */
final class RenewCommand implements Verb {

    private static final Flag JSON = Flag.of("--json", "Print an object: resource, fence, validMillis.");

    private final Terminal terminal;
    private final PrintStream out;

    RenewCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Page page() {
        return Page.of("renew", "Keeps a lock that `acquire` has taken for longer.")
                .with(LeaseOption.LEASE)
                .with(HandleOptions.FLAGS)
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
        HandleOptions handles = HandleOptions.of(given);
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.resume(handles.read(), options);
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
