package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Waits for a lock, runs a command while holding it, and gives it up when the command has ended. */
@Command(
        name = "run",
        description = "Runs a command while holding a lock.",
        customSynopsis = "holdfast run NAME [options] -- COMMAND [ARGUMENT…]",
        footer = {
            "",
            "Exit code: the command's own; 128+n if signal n ended it; 64 wrong usage; 69 too few nodes answer;",
            "75 not acquired; 76 the lock was lost; 125 Holdfast failed; 126/127 the command cannot be run.",
            "",
            "The command finds HOLDFAST_RESOURCE, HOLDFAST_FENCE, HOLDFAST_OWNER and HOLDFAST_LEASE_MS in its"
                    + " environment."
        })
final class RunCommand implements Callable<Integer> {

    /** The names that the commands around this one hold, one on a line. */
    private static final String HELD_VARIABLE = "HOLDFAST_HELD";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The lock; every machine that says the same name contends.")
    private String name = "";

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "What to run, after `--`. No shell is involved.")
    private List<String> command = List.of();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Option(
            names = "--jitter",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "0s",
            description =
                    "Before asking for the lock, wait for a random time up to this, so that machines whose clocks agree"
                            + " do not all ask at once.")
    private Duration jitter = Duration.ZERO;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description =
                    "How long the servers keep the lock when Holdfast dies; renewed while it lives. Default: 30s.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--hold-limit",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Hold the lock no longer than this, then treat it as lost. Default: no limit.")
    private @Nullable Duration holdLimit;

    @Option(
            names = "--hold-at-least",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "0s",
            description =
                    "Keep the lock at least that long, also when the command ends sooner: where cron fires on several"
                            + " machines whose clocks differ, by more than they differ.")
    private Duration holdAtLeast = Duration.ZERO;

    @Option(
            names = "--on-lost",
            paramLabel = "kill|warn",
            defaultValue = "kill",
            converter = OnLost.Converter.class,
            description =
                    "When the lock is lost: TERM the command before another can hold it and KILL it when another can;"
                            + " or only say so. Default: kill.")
    private OnLost onLost = OnLost.KILL;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say on stderr what happens.")
    private boolean verbose;

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.begin(verbose);
        LockOptions options = checkedOptions();
        Program.require(command.get(0), System.getenv());
        Signals signals = Signals.handle();
        try (Holdfast holdfast = nodes.connect(terminal)) {
            return run(holdfast, options, signals);
        } catch (LockTimeoutException e) {
            return waiting.tellNotAcquired(e, terminal);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    private LockOptions checkedOptions() {
        if (!spec.commandLine().getParseResult().originalArgs().contains("--") || command.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE, "no command: write `--` and the command last, as in holdfast run NAME -- COMMAND");
        }
        requireNotHeldAround();
        LockOptions leased = LockOptions.DEFAULT.withLease(lease);
        LockOptions limited = holdLimit == null ? leased : leased.withHoldLimit(holdLimit);
        if (holdLimit != null && holdAtLeast.compareTo(holdLimit) > 0) {
            throw new Failure(ExitCode.USAGE, "--hold-at-least is longer than --hold-limit; shorten it");
        }
        return waiting.apply(limited);
    }

    /** It would wait for itself. */
    private void requireNotHeldAround() {
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

    private int run(Holdfast holdfast, LockOptions options, Signals signals) throws InterruptedException {
        Thread.sleep(jitter.isZero() ? 0 : ThreadLocalRandom.current().nextLong(jitter.toMillis() + 1));
        Lease held = acquire(holdfast, options);
        long since = System.nanoTime();
        holdfast.operator().annotate(held, HolderNote.of(command.get(0)));
        terminal.detail("holds '" + name + "', fence " + held.fencingToken());
        Child child = Child.start(command, environment(held, options));
        LossGuard guard = LossGuard.watch(held, child, onLost, terminal);
        signals.forwardTo(child);
        int code = child.join();
        signals.endWaitsAgain();
        guard.keepFor(holdAtLeast.minusNanos(System.nanoTime() - since));
        return guard.release(code);
    }

    private Lease acquire(Holdfast holdfast, LockOptions options) throws InterruptedException {
        WaitingLine line = WaitingLine.begin(holdfast, name, terminal);
        try {
            return holdfast.lock(name, options).acquire();
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
