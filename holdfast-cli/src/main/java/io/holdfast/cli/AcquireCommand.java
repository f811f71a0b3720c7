package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseHandle;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lock and ends; the lock stays. */
@Command(
        name = "acquire",
        description = "Takes a lock for a script, which has to renew and to release it.",
        customSynopsis = "holdfast acquire NAME [options]",
        footer = {
            "",
            "  export HOLDFAST_HANDLE=\"$(holdfast acquire nightly --lease 1m)\" || exit",
            "  first-half && holdfast renew --lease 1m && second-half",
            "  holdfast release",
            "",
            "Nobody renews the lock while the script runs, and nobody ends the script when it is lost: `run` does both.",
            "",
            "Exit code: 0; 64 wrong usage; 69 too few nodes answer; 75 not acquired; 125 Holdfast failed."
        })
final class AcquireCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final PrintStream out;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Mixin
    private LeaseOption lease = new LeaseOption();

    @Mixin
    private HandleOptions handles = new HandleOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--json", description = "Print an object: resource, handle, fence, leaseMillis, validMillis.")
    private boolean json;

    AcquireCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Integer call() {
        terminal.begin(false);
        LockOptions options = waiting.apply(lease.options());
        Signals signals = Signals.handle();
        try (Holdfast holdfast = nodes.connect(terminal)) {
            Lease held = holdfast.lock(name, options).acquire();
            holdfast.operator().annotate(held, HolderNote.of("acquire"));
            handles.write(held.handle());
            print(held, options);
            held.detach();
            return ExitCode.OK;
        } catch (LockTimeoutException e) {
            return waiting.tellNotAcquired(e, terminal);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    /** Before it is detached: whoever cannot be told has nothing to release the lock with. */
    private void print(Lease held, LockOptions options) {
        LeaseHandle handle = held.handle();
        if (json) {
            out.println(Json.object(Json.fields(
                    "resource", held.resource(),
                    "handle", handle.text(),
                    "fence", held.fencingToken().value(),
                    "leaseMillis", options.lease().toMillis(),
                    "validMillis", held.remaining().toMillis())));
        } else if (!handles.isFile()) {
            out.println(handle.text());
        }
        if (out.checkError()) {
            throw new Failure(ExitCode.INTERNAL, "the handle could not be printed; the lock is given up again");
        }
    }
}
