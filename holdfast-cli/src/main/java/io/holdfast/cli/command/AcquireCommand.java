package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.Map;

/** Takes a lock and ends; the lock stays. */
public final class AcquireCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print an object: resource, handle, fence, leaseMillis, validMillis.");

    private final Terminal terminal;
    private final PrintStream out;

    public AcquireCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("acquire", "Takes a lock for a script, which has to renew and to release it.")
                .ofName("The lock.")
                .with(WaitOptions.FLAGS)
                .with(LeaseOption.LEASE)
                .with(DetachedLeaseOptions.FLAGS)
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
        DetachedLeaseOptions handles = DetachedLeaseOptions.of(given);
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            Lease held = holdfast.lock(given.name(), options).acquire();
            held.annotate(HolderNote.of("acquire"));
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
