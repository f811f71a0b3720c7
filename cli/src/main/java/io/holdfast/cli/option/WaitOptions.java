package io.holdfast.cli.option;

import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.FailureText;
import io.holdfast.cli.output.HolderQuery;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.node.Majority;
import io.holdfast.node.Reply;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options for waiting until another client releases the lock.
 *
 * @param noWait whether to fail at once if another client holds the lock
 * @param limit the longest wait; empty means forever
 * @param exitCode the exit code if the lock was not acquired
 * @param fair whether clients that have waited longer acquire the lock first
 */
public record WaitOptions(boolean noWait, Optional<Duration> limit, int exitCode, boolean fair) {

    private static final CommandOption NO_WAIT =
            CommandOption.of("-n, --no-wait", "If another client holds the lock, exit 75. Default: wait forever.");
    private static final CommandOption WAIT = CommandOption.of(
            "-w, --wait", "DURATION", "Wait this long, such as 500ms, 30s or 1h30m, then exit 75; 0 is -n.");
    private static final CommandOption CONFLICT_EXIT_CODE =
            CommandOption.of("-E, --conflict-exit-code", "CODE", "Exit with this code instead of 75.");
    private static final CommandOption FAIR = CommandOption.of(
            "--fair", "Do not overtake clients that have waited longer; all clients must use this option.");

    public static final List<CommandOption> OPTIONS = List.of(NO_WAIT, WAIT, CONFLICT_EXIT_CODE, FAIR);

    /** Longer than a restart of a server, shorter than an outage. */
    private static final Duration UNREACHABLE_LIMIT = Duration.ofSeconds(10);

    /** The limit with {@code -n}: the time for a connection. A limit above zero also allows for a quarantine. */
    private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(2);

    /** Acquires a lock with these options. */
    public interface Acquisition<T> {

        T acquire(LockOptions options) throws InterruptedException;
    }

    public static WaitOptions of(Arguments arguments) {
        Optional<Duration> limit = arguments.value(WAIT, DurationSyntax::parse);
        if (arguments.has(NO_WAIT) && limit.isPresent()) {
            throw new Failure(ExitCode.USAGE, "-n and -w exclude each other; use one of them");
        }
        boolean noWait =
                arguments.has(NO_WAIT) || limit.filter(Duration::isZero).isPresent();
        return new WaitOptions(
                noWait,
                limit,
                arguments.value(CONFLICT_EXIT_CODE, ExitCode::parse).orElse(ExitCode.NOT_ACQUIRED),
                arguments.has(FAIR));
    }

    /**
     * Returns these lock options with the wait limits. Even with {@code -n}, a command waits for servers that are being
     * connected or in quarantine: if all jobs failed at once, none might ever run.
     */
    public LockOptions apply(LockOptions options) {
        return options.toBuilder()
                .fair(fair)
                .failFast(true)
                .unreachableLimit(noWait ? CONNECTION_LIMIT : atMostLimit(UNREACHABLE_LIMIT))
                .waitLimit(noWait ? Duration.ZERO : limit.orElse(LockOptions.FOREVER))
                .build();
    }

    /**
     * Acquires with options that {@link #apply} has returned. With {@code -n}, servers that are slow get the time that
     * they have without it: when cron starts many jobs at once, a busy machine takes seconds to read their answers. If one
     * of several locks is lost during the wait for the next, it acquires all again, within the wait limit.
     *
     * @throws LockTimeoutException if another client holds the lock at the end of the wait
     * @throws QuorumUnreachableException if too few servers can be used
     */
    public <T> T acquire(LockOptions options, Acquisition<T> acquisition) throws InterruptedException {
        long start = System.nanoTime();
        Duration left = options.waitLimit();
        while (true) {
            try {
                return acquireOnce(options.toBuilder().waitLimit(left).build(), acquisition);
            } catch (LeaseLostException whileWaitingForTheNext) {
                left = Durations.longer(options.waitLimit().minusNanos(System.nanoTime() - start), Duration.ZERO);
            }
        }
    }

    private <T> T acquireOnce(LockOptions options, Acquisition<T> acquisition) throws InterruptedException {
        try {
            return acquisition.acquire(options);
        } catch (QuorumUnreachableException e) {
            if (!noWait || !mayBeSlow(e)) {
                throw e;
            }
            return acquisition.acquire(options.toBuilder()
                    .unreachableLimit(UNREACHABLE_LIMIT.minus(CONNECTION_LIMIT))
                    .build());
        }
    }

    /** Returns whether a majority has a connection, as far as it is known. A server that was stopped has none. */
    private static boolean mayBeSlow(QuorumUnreachableException e) {
        long without = e.votes().stream()
                .filter(vote -> vote.reply() instanceof Reply.Failed failed && !failed.mayHaveLanded())
                .count();
        return Majority.isReachedBy(e.nodes() - without, e.nodes());
    }

    private Duration atMostLimit(Duration unreachable) {
        return limit.filter(wait -> wait.compareTo(unreachable) < 0).orElse(unreachable);
    }

    /**
     * Reports a lock that was not acquired, with its holder, and returns the exit code. With {@code -n} the message is
     * only a hint, because cron would send it as a mail.
     */
    public int reportNotAcquired(LockTimeoutException e, Holdfast holdfast, Terminal terminal) {
        if (!noWait || terminal.showsHints()) {
            terminal.print(FailureText.of(e, HolderQuery.status(holdfast.admin(), e.resource())));
            FailureText.votes(e).ifPresent(terminal::detail);
        }
        return exitCode;
    }
}
