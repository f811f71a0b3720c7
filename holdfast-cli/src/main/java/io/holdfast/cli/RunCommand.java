package io.holdfast.cli;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

    /** How long too few answering nodes are borne with: a restart, not an outage. */
    private static final Duration UNREACHABLE_LIMIT = Duration.ofSeconds(10);

    private static final int MAX_EXIT_CODE = 255;

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

    @Option(
            names = {"-n", "--no-wait"},
            description = "If another holds the lock, exit 75 at once. Default: wait for ever.")
    private boolean noWait;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Wait that long, such as 500ms, 30s or 1h30m, then exit 75.")
    private @Nullable Duration wait;

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
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            defaultValue = "75",
            description = "Exit with this code instead of 75.")
    private int conflictExitCode;

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
            return run(holdfast.lock(name, options), options, signals);
        } catch (LockTimeoutException e) {
            tellNotAcquired(e);
            return conflictExitCode;
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    private LockOptions checkedOptions() {
        if (!spec.commandLine().getParseResult().originalArgs().contains("--") || command.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE, "no command: write `--` and the command last, as in holdfast run NAME -- COMMAND");
        }
        if (noWait && wait != null) {
            throw new Failure(ExitCode.USAGE, "-n and -w exclude each other; give one of them");
        }
        if (conflictExitCode < 0 || conflictExitCode > MAX_EXIT_CODE) {
            throw new Failure(ExitCode.USAGE, "-E " + conflictExitCode + " is no exit code; give one from 0 to 255");
        }
        LockOptions leased = LockOptions.DEFAULT.withLease(lease).withUnreachableLimit(UNREACHABLE_LIMIT);
        LockOptions limited = holdLimit == null ? leased : leased.withHoldLimit(holdLimit);
        return limited.withWaitLimit(noWait ? Duration.ZERO : wait == null ? LockOptions.FOREVER : wait);
    }

    private int run(DistributedLock lock, LockOptions options, Signals signals) throws InterruptedException {
        Lease held = lock.acquire();
        terminal.detail("holds '" + name + "', fence " + held.fencingToken());
        Child child = Child.start(command, environment(held, options));
        LossGuard guard = LossGuard.watch(held, child, onLost, terminal);
        signals.forwardTo(child);
        return guard.release(child.join());
    }

    private static Map<String, String> environment(Lease held, LockOptions options) {
        return Map.of(
                "HOLDFAST_RESOURCE", held.resource(),
                "HOLDFAST_FENCE", held.fencingToken().toString(),
                "HOLDFAST_OWNER", held.owner().token(),
                "HOLDFAST_LEASE_MS", Long.toString(options.lease().toMillis()));
    }

    /** Who says {@code -n} expects it: a line from cron at each firing is a mail that nobody wants. */
    private void tellNotAcquired(LockTimeoutException e) {
        String line = String.valueOf(e.getMessage());
        if (noWait) {
            terminal.hint(line);
        } else {
            terminal.print(line);
        }
    }
}
