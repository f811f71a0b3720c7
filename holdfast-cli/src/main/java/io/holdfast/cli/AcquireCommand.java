package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.util.Map;

/** Takes a lock and ends; the lock stays. */
final class AcquireCommand implements Verb {

    private static final Flag JSON =
            Flag.of("--json", "Print an object: resource, handle, fence, leaseMillis, validMillis.");

    private final Terminal terminal;
    private final PrintStream out;

    AcquireCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public Page page() {
        return Page.of("acquire", "Takes a lock for a script, which has to renew and to release it.")
                .ofName("The lock.")
                .with(WaitOptions.FLAGS)
                .with(LeaseOption.LEASE)
                .with(HandleOptions.FLAGS)
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                          export HOLDFAST_HANDLE="$(holdfast acquire nightly --lease 1m)" || exit
                          first-half && holdfast renew --lease 1m && second-half
                          holdfast release

                        Nobody renews the lock while the script runs, and nobody ends the script when it
                        is lost: `run` does both.

                        Exit code: 0; 64 wrong usage; 69 too few nodes answer; 75 not acquired; 125
                        Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments given) {
        terminal.begin(false);
        WaitOptions waiting = WaitOptions.of(given);
        LockOptions options = waiting.apply(LeaseOption.of(given));
        HandleOptions handles = HandleOptions.of(given);
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.lock(given.name(), options).acquire();
            holdfast.operator().annotate(held, HolderNote.of("acquire"));
            handles.write(held.handle());
            if (given.has(JSON)) {
                print(Json.object(fields(held, options)));
            } else if (!handles.isFile()) {
                print(held.handle().text());
            }
            held.detach();
            return ExitCode.OK;
        } catch (LockTimeoutException e) {
            return waiting.tellNotAcquired(e, terminal);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    /** Before it is detached: whoever cannot be told has nothing to release the lock with. */
    private void print(String line) {
        out.println(line);
        if (out.checkError()) {
            throw new Failure(ExitCode.INTERNAL, "the handle could not be printed; the lock is given up again");
        }
    }

    private static Map<String, Object> fields(Lease held, LockOptions options) {
        return Json.fields(
                "resource", held.resource(),
                "handle", held.handle().text(),
                "fence", held.fencingToken().value(),
                "leaseMillis", options.lease().toMillis(),
                "validMillis", held.remaining().toMillis());
    }
}
