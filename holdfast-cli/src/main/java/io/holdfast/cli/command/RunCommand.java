package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.DurationSyntax;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.WaitProgress;
import io.holdfast.cli.process.Child;
import io.holdfast.cli.process.Executable;
import io.holdfast.cli.process.LossGuard;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.WarmUp;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code run}: runs a program while it holds a lock. */
public final class RunCommand implements Command {

    /** Contains the locks of the enclosing {@code holdfast run} commands, one per line. */
    private static final String HELD_VARIABLE = "HOLDFAST_HELD";

    private static final CommandOption LEASE = CommandOption.of(
            "--lease",
            "DURATION",
            "How long the servers keep the lock if Holdfast dies; renewed while Holdfast lives. Default: 30s.");
    private static final CommandOption HOLD_LIMIT = CommandOption.of(
            "--hold-limit", "DURATION", "Hold the lock for at most this time, then treat it as lost. Default: none.");
    private static final CommandOption HOLD_AT_LEAST = CommandOption.of(
            "--hold-at-least",
            "DURATION",
            "Hold the lock for at least this time, even if the command ends sooner. For cron jobs on several"
                    + " machines: longer than their clocks differ.");
    private static final CommandOption JITTER = CommandOption.of(
            "--jitter",
            "DURATION",
            "Wait for a random time up to this before contending, so that machines with equal clocks do not"
                    + " contend all at once.");
    private static final CommandOption ON_LOST = CommandOption.of(
            "--on-lost",
            "kill|warn",
            "When the lock is lost: send TERM to the command before another client can acquire the lock, and"
                    + " KILL at that time; or only print a warning. Default: kill.");
    private static final CommandOption VERBOSE = CommandOption.of("-v, --verbose", "Print on stderr what happens.");

    private final Terminal terminal;

    public RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("run", "Runs a command while holding a lock.")
                .withName("The lock; all machines that use the same name contend.")
                .withProgram("The program to run, without a shell.")
                .with(WaitOptions.OPTIONS)
                .with(JITTER, LEASE, HOLD_LIMIT, HOLD_AT_LEAST, ON_LOST, VERBOSE)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Exit code: the command's own; 128+n if signal n ended it; 64 wrong usage; 69 too
                        few nodes answer; 75 not acquired; 76 the lock was lost; 125 Holdfast failed;
                        126/127 the command cannot be run.

                        A restarted server does not vote for a while. If no majority of other servers is
                        left, all clients wait for it, even with -n.

                        The environment of the command contains HOLDFAST_RESOURCE, HOLDFAST_FENCE,
                        HOLDFAST_OWNER and HOLDFAST_LEASE_MS.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        new WarmUp().start();
        terminal.showLog(arguments.has(VERBOSE));
        Plan plan = Plan.of(arguments);
        Executable.require(plan.command().get(0), System.getenv());
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            return run(holdfast, plan, signals);
        } catch (LockTimeoutException e) {
            return plan.waiting().reportNotAcquired(e, terminal);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    /** The options of one run, all checked before anything is done. */
    private record Plan(
            String name,
            List<String> command,
            WaitOptions waiting,
            LockOptions options,
            Duration jitter,
            Duration holdAtLeast,
            OnLost onLost) {

        static Plan of(Arguments arguments) {
            requireNotEnclosing(arguments.name());
            WaitOptions waiting = WaitOptions.of(arguments);
            Optional<Duration> limit = arguments.value(HOLD_LIMIT, DurationSyntax::parse);
            Duration atLeast =
                    arguments.value(HOLD_AT_LEAST, DurationSyntax::parse).orElse(Duration.ZERO);
            if (limit.isPresent() && atLeast.compareTo(limit.get()) > 0) {
                throw new Failure(ExitCode.USAGE, "--hold-at-least is longer than --hold-limit; shorten it");
            }
            LockOptions leased = arguments
                    .value(LEASE, DurationSyntax::parse)
                    .map(lease -> LockOptions.builder().lease(lease).build())
                    .orElse(LockOptions.DEFAULT);
            return new Plan(
                    arguments.name(),
                    arguments.program(),
                    waiting,
                    waiting.apply(
                            limit.map(most -> leased.toBuilder().holdLimit(most).build())
                                    .orElse(leased)),
                    arguments.value(JITTER, DurationSyntax::parse).orElse(Duration.ZERO),
                    atLeast,
                    arguments.value(ON_LOST, OnLost::parse).orElse(OnLost.KILL));
        }
    }

    /**
     * Rejects a lock that an enclosing {@code holdfast run} holds: the inner run would wait for the outer one forever.
     */
    private static void requireNotEnclosing(String name) {
        if (enclosingLocks().lines().anyMatch(name::equals)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "'" + name
                            + "' is held by the enclosing `holdfast run`, so this one would wait forever; omit the"
                            + " inner one, or use another name");
        }
    }

    private static String enclosingLocks() {
        return System.getenv().getOrDefault(HELD_VARIABLE, "");
    }

    private int run(Holdfast holdfast, Plan plan, Signals signals) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong(plan.jitter().toMillis() + 1));
        Lease lease = acquire(holdfast, plan);
        long acquired = System.nanoTime();
        terminal.detail("acquired '" + plan.name() + "', fence " + lease.fencingToken());
        Child child = signals.start(() -> Child.start(plan.command(), environment(lease, plan.options())));
        LossGuard guard = LossGuard.start(lease, child, plan.onLost(), terminal);
        lease.annotate(HolderNote.of(plan.command().get(0)));
        int code = child.join();
        signals.stopForwarding();
        guard.holdFor(plan.holdAtLeast().minusNanos(System.nanoTime() - acquired));
        return guard.release(code);
    }

    private Lease acquire(Holdfast holdfast, Plan plan) throws InterruptedException {
        WaitProgress progress = WaitProgress.start(holdfast, plan.name(), terminal);
        try {
            return holdfast.lock(plan.name(), plan.options()).acquire();
        } finally {
            progress.end();
        }
    }

    private static Map<String, String> environment(Lease lease, LockOptions options) {
        return Map.of(
                "HOLDFAST_RESOURCE",
                lease.resource(),
                "HOLDFAST_FENCE",
                lease.fencingToken().toString(),
                "HOLDFAST_OWNER",
                lease.owner().token(),
                "HOLDFAST_LEASE_MS",
                Long.toString(options.lease().toMillis()),
                HELD_VARIABLE,
                enclosingLocks() + lease.resource() + "\n");
    }
}
