package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Keeps a lock that {@link AcquireCommand} has taken. */
@Command(
        name = "renew",
        description = "Keeps a lock that `acquire` has taken for longer.",
        customSynopsis = "holdfast renew [options]",
        footer = {
            "",
            "Exit code: 0 it is held for as long again; 64 wrong usage; 69 too few nodes answer, and it is held for as long as it",
            "was; 76 it is lost; 125 Holdfast failed."
        })
final class RenewCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final PrintStream out;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Mixin
    private LeaseOption lease = new LeaseOption();

    @Mixin
    private HandleOptions handles = new HandleOptions();

    @Option(names = "--json", description = "Print an object: resource, fence, validMillis.")
    private boolean json;

    RenewCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException {
        terminal.begin(false);
        try (Holdfast holdfast = nodes.connect(terminal)) {
            Lease held = holdfast.resume(handles.read(), lease.options());
            if (json) {
                out.println(Json.object(Map.of(
                        "resource", held.resource(),
                        "fence", held.fencingToken().value(),
                        "validMillis", held.remaining().toMillis())));
            }
            held.detach();
            return ExitCode.OK;
        }
    }
}
