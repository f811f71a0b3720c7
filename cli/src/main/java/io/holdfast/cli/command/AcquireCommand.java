package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.LockChoice;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.HeldLocks;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import java.io.PrintStream;
import java.util.Map;

/** The command {@code acquire}: acquires a lock and detaches the lease, so that a script can renew and release it. */
public final class AcquireCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print an object: resource, handle, fence, leaseMillis, validMillis.");

    /** The system property by which the script says that stdout is closed; Java then finds /dev/null in its place. */
    private static final String CLOSED_STDOUT = "holdfast.stdout";

    private final Terminal terminal;
    private final PrintStream out;

    public AcquireCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("acquire", "Acquires a lock for a script, which must renew and release it.")
                .withName("The lock.")
                .with(WaitOptions.OPTIONS)
                .with(LeaseOption.LEASE)
                .with(DetachedLeaseOptions.OPTIONS)
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                          HOLDFAST_HANDLE="$(holdfast acquire nightly -n --lease 1m)" || exit
                          export HOLDFAST_HANDLE
                          trap 'holdfast release' EXIT
                          trap 'exit 1' HUP INT TERM
                          first-half && holdfast renew --lease 1m && second-half

                        `export` is a command of its own: in one command with the assignment, it hides
                        that the lock was not acquired.

                        While the script runs, Holdfast neither renews the lock nor stops the script
                        when the lock is lost. The command `run` does both.

                        Exit code: 0; 64 wrong usage; 69 too few servers answer; 75 not acquired; 125
                        Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        terminal.showLog(false);
        HeldLocks.requireNotHeld(LockChoice.single(arguments.name()), NodesOptions.fingerprint(arguments));
        WaitOptions waiting = WaitOptions.of(arguments);
        LockOptions options = waiting.apply(LeaseOption.of(arguments));
        DetachedLeaseOptions handleOptions = DetachedLeaseOptions.forWriting(arguments);
        if (!handleOptions.isFile() && System.getProperty(CLOSED_STDOUT) != null) {
            throw new Failure(
                    ExitCode.USAGE,
                    "standard output is closed, so the handle would be lost; give --handle-file, or read the output");
        }
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            signals.interruptWaits();
            handleOptions.requireNoHeldLock(holdfast.admin(), arguments.name());
            return acquire(holdfast, arguments, options, handleOptions, waiting);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    private int acquire(
            Holdfast holdfast,
            Arguments arguments,
            LockOptions options,
            DetachedLeaseOptions handleOptions,
            WaitOptions waiting)
            throws InterruptedException {
        try {
            Lease lease = waiting.acquire(
                    options, with -> holdfast.lock(arguments.name(), with).acquire());
            lease.annotate(HolderNote.of("acquire", ProcessHandle.current().pid()));
            handleOptions.write(lease.handle());
            if (arguments.has(JSON)) {
                print(Json.object(fields(lease, options)));
            } else if (!handleOptions.isFile()) {
                print(lease.handle().text());
            }
            lease.detach();
            return ExitCode.OK;
        } catch (LockTimeoutException e) {
            return waiting.reportNotAcquired(e, holdfast, terminal);
        }
    }

    /** Prints before the lease is detached: without the printed handle, the caller could not release the lock. */
    private void print(String line) {
        out.println(line);
        if (out.checkError()) {
            throw new Failure(ExitCode.INTERNAL, "the handle could not be printed; the lock has been released");
        }
    }

    private static Map<String, Object> fields(Lease lease, LockOptions options) {
        return Json.fields(
                "resource", lease.resource(),
                "handle", lease.handle().text(),
                "fence", lease.fencingToken().value(),
                "leaseMillis", options.lease().toMillis(),
                "validMillis", lease.remaining().toMillis());
    }
}
