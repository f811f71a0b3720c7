package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.LeaseOption;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.LossText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.FrequentExtensions;
import io.holdfast.cli.process.ProcessStat;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The command {@code keep}: renews the lease of a handle, for a script that holds the lock between its commands. It
 * never releases the lock, since what the script has started may outlive the script.
 */
public final class KeepCommand implements Command {

    /** The system property with the parent of the script {@code bin/holdfast}, read before it can have ended. */
    private static final String PARENT = "holdfast.parent";

    private static final long INIT = 1;
    private static final Duration ZOMBIE_PAUSE = Duration.ofSeconds(1);

    private static final CommandOption PID = CommandOption.of(
            "--pid",
            "PID",
            "Renew until this process ends, or until TERM, INT or HUP. Default: the process that started this one.");
    private static final CommandOption ON_LOST = CommandOption.of(
            "--on-lost", "kill|warn", "When the lock is lost, send TERM to that process, or not. Default: kill.");
    private static final CommandOption VERBOSE = CommandOption.of("-v, --verbose", "Print on stderr what happens.");

    private final Terminal terminal;

    public KeepCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("keep", "Renews the lease of a lock that `acquire` acquired, while a script runs.")
                .with(PID, LeaseOption.RENEWED_LEASE, LeaseOption.HOLD_LIMIT, ON_LOST)
                .with(DetachedLeaseOptions.OPTIONS)
                .with(VERBOSE)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                          HOLDFAST_HANDLE="$(holdfast acquire nightly -n)" || exit
                          export HOLDFAST_HANDLE
                          holdfast keep --pid $$ & keeper=$!
                          trap 'kill $keeper; holdfast release' EXIT
                          trap 'exit 1' HUP INT TERM
                          first-half && second-half

                        The lock is not released: after the end of the script it ends with its lease.
                        TERM for a lost lock reaches only the process, and not what it has started.
                        The command `run` ends all of it in time.

                        Exit code: 0 the process has ended, or a signal has arrived; 64 wrong usage; 69
                        too few nodes answer at the start; 76 the lock is lost; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        terminal.showLog(arguments.has(VERBOSE));
        LockOptions options = LeaseOption.renewed(arguments);
        OnLost onLost = arguments.value(ON_LOST, OnLost::parse).orElse(OnLost.KILL);
        DetachedLeaseOptions handleOptions = DetachedLeaseOptions.of(arguments);
        long pid = arguments.value(PID, KeepCommand::pid).orElseGet(KeepCommand::parent);
        ProcessHandle process = ProcessHandle.of(pid)
                .filter(found -> !isZombie(found))
                .orElseThrow(() -> new Failure(ExitCode.USAGE, "there is no process " + pid + "; use --pid $$"));
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            NodesOptions.requireSameSet(holdfast);
            signals.interruptWaits();
            Lease lease = handleOptions.attach(holdfast, options);
            terminal.detail("renewing '" + lease.resource() + "' until process " + process.pid() + " ends");
            FrequentExtensions extensions = FrequentExtensions.start(new JointLease(List.of(lease)), options.lease());
            awaitEnd(lease, process);
            extensions.stop();
            return end(lease, process, onLost, handleOptions, new LossText(holdfast.admin()));
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    private static long pid(String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException("'" + text + "' is not the id of a process; in a script, write $$");
        }
        return Long.parseLong(text);
    }

    /** The parent of a process whose parent has ended is the first process, which never ends. */
    private static long parent() {
        long parent = Long.getLong(PARENT, INIT);
        if (parent == INIT) {
            throw new Failure(
                    ExitCode.USAGE, "the process that started this one is unknown; in a script, use --pid $$");
        }
        return parent;
    }

    /** Java takes a zombie for alive, and its parent may let it remain one for as long as the machine runs. */
    private static boolean isZombie(ProcessHandle process) {
        return ProcessStat.of(process.pid()).filter(ProcessStat::hasEnded).isPresent();
    }

    private void awaitEnd(Lease lease, ProcessHandle process) {
        CompletableFuture<?> end = CompletableFuture.anyOf(process.onExit(), lease.lossFuture());
        try {
            while (!end.isDone() && !isZombie(process)) {
                ThreadWait.park(end, ZOMBIE_PAUSE);
            }
        } catch (InterruptedException signalled) {
            terminal.detail("stopped by a signal");
        }
    }

    private int end(
            Lease lease, ProcessHandle process, OnLost onLost, DetachedLeaseOptions handleOptions, LossText text) {
        if (lease.isValid()) {
            lease.detach();
            return ExitCode.OK;
        } else if (handleOptions.isReleased()) {
            return ExitCode.OK;
        }
        boolean isEnded = onLost == OnLost.KILL && process.destroy();
        terminal.print(text.of(ThreadWait.join(ThreadWait::park, lease.lossFuture()), lease.lossMargin())
                + (isEnded ? "; process " + process.pid() + " received TERM" : ""));
        return ExitCode.LOST;
    }
}
