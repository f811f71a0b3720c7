package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
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

/** Waits for a lock, runs a command while holding it, and gives it up when the command has ended. */
public final class RunCommand implements Command {

    /** The names that the commands around this one hold, one on a line. */
    private static final String HELD_VARIABLE = "HOLDFAST_HELD";

    private static final CommandOption LEASE = CommandOption.of(
            "--lease",
            "DURATION",
            "How long the servers keep the lock when Holdfast dies; renewed while it lives. Default: 30s.");
    private static final CommandOption HOLD_LIMIT = CommandOption.of(
            "--hold-limit", "DURATION", "Hold the lock no longer than this, then treat it as lost. Default: no limit.");
    private static final CommandOption HOLD_AT_LEAST = CommandOption.of(
            "--hold-at-least",
            "DURATION",
            "Keep the lock at least that long, also when the command ends sooner: where cron fires on several machines"
                    + " whose clocks differ, by more than they differ.");
    private static final CommandOption JITTER = CommandOption.of(
            "--jitter",
            "DURATION",
            "Before asking for the lock, wait for a random time up to this, so that machines whose clocks agree do not"
                    + " all ask at once.");
    private static final CommandOption ON_LOST = CommandOption.of(
            "--on-lost",
            "kill|warn",
            "When the lock is lost: TERM the command before another can hold it and KILL it when another can; or only"
                    + " say so. Default: kill.");
    private static final CommandOption VERBOSE = CommandOption.of("-v, --verbose", "Say on stderr what happens.");

    private final Terminal terminal;

    public RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public CommandSpec page() {
        return CommandSpec.of("run", "Runs a command while holding a lock.")
                .ofName("The lock; every machine that says the same name contends.")
                .running("What to run. No shell is involved.")
                .with(WaitOptions.FLAGS)
                .with(JITTER, LEASE, HOLD_LIMIT, HOLD_AT_LEAST, ON_LOST, VERBOSE)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Exit code: the command's own; 128+n if signal n ended it; 64 wrong usage; 69 too
                        few nodes answer; 75 not acquired; 76 the lock was lost; 125 Holdfast failed;
                        126/127 the command cannot be run.

                        A server that was restarted does not vote for a while. Where too few others are
                        left, all wait for it, also with -n.

                        The command finds HOLDFAST_RESOURCE, HOLDFAST_FENCE, HOLDFAST_OWNER and
                        HOLDFAST_LEASE_MS in its environment.
                        """);
    }

    @Override
    public int run(Arguments given) {
        new WarmUp().start();
        terminal.begin(given.has(VERBOSE));
        Plan plan = Plan.of(given);
        Executable.require(plan.command().get(0), System.getenv());
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(given, terminal)) {
            return run(holdfast, plan, signals);
        } catch (LockTimeoutException e) {
            return plan.waiting().tellNotAcquired(e, terminal);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    /** What was asked for, checked before anything is done. */
    private record Plan(
            String name,
            List<String> command,
            WaitOptions waiting,
            LockOptions options,
            Duration jitter,
            Duration holdAtLeast,
            OnLost onLost) {

        static Plan of(Arguments given) {
            requireNotHeldAround(given.name());
            WaitOptions waiting = WaitOptions.of(given);
            Optional<Duration> limit = given.value(HOLD_LIMIT, DurationSyntax::parse);
            Duration atLeast = given.value(HOLD_AT_LEAST, DurationSyntax::parse).orElse(Duration.ZERO);
            if (limit.isPresent() && atLeast.compareTo(limit.get()) > 0) {
                throw new Failure(ExitCode.USAGE, "--hold-at-least is longer than --hold-limit; shorten it");
            }
            LockOptions leased = given.value(LEASE, DurationSyntax::parse)
                    .map(lease -> LockOptions.builder().lease(lease).build())
                    .orElse(LockOptions.DEFAULT);
            return new Plan(
                    given.name(),
                    given.program(),
                    waiting,
                    waiting.apply(limit.map(most -> leased.toBuilder().holdLimit(most).build()).orElse(leased)),
                    given.value(JITTER, DurationSyntax::parse).orElse(Duration.ZERO),
                    atLeast,
                    given.value(ON_LOST, OnLost::parse).orElse(OnLost.KILL));
        }
    }

    /** It would wait for itself. */
    private static void requireNotHeldAround(String name) {
        if (heldAround().lines().anyMatch(name::equals)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "'" + name
                            + "' is held by the `holdfast run` around this one, which would wait for itself; leave the"
                            + " inner one out, or give it another name");
        }
    }

    private static String heldAround() {
        return System.getenv().getOrDefault(HELD_VARIABLE, "");
    }

    private int run(Holdfast holdfast, Plan plan, Signals signals) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong(plan.jitter().toMillis() + 1));
        Lease held = acquire(holdfast, plan);
        long since = System.nanoTime();
        terminal.detail("holds '" + plan.name() + "', fence " + held.fencingToken());
        Child child = signals.start(() -> Child.start(plan.command(), environment(held, plan.options())));
        LossGuard guard = LossGuard.watch(held, child, plan.onLost(), terminal);
        held.annotate(HolderNote.of(plan.command().get(0)));
        int code = child.join();
        signals.endWaitsAgain();
        guard.keepFor(plan.holdAtLeast().minusNanos(System.nanoTime() - since));
        return guard.release(code);
    }

    private Lease acquire(Holdfast holdfast, Plan plan) throws InterruptedException {
        WaitProgress line = WaitProgress.begin(holdfast, plan.name(), terminal);
        try {
            return holdfast.lock(plan.name(), plan.options()).acquire();
        } finally {
            line.end();
        }
    }

    private static Map<String, String> environment(Lease held, LockOptions options) {
        return Map.of(
                "HOLDFAST_RESOURCE",
                held.resource(),
                "HOLDFAST_FENCE",
                held.fencingToken().toString(),
                "HOLDFAST_OWNER",
                held.owner().token(),
                "HOLDFAST_LEASE_MS",
                Long.toString(options.lease().toMillis()),
                HELD_VARIABLE,
                heldAround() + held.resource() + "\n");
    }
}
