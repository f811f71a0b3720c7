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
import io.holdfast.time.DurationSyntax;
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

    /** The shortest wait: it ends after one round. */
    private static final Duration ONE_ROUND = Duration.ofMillis(1);

    private static final CommandOption NO_WAIT =
            CommandOption.of("-n, --no-wait", "If another client holds the lock, exit 75. Default: -w forever.");
    private static final CommandOption WAIT = CommandOption.of(
            "-w, --wait",
            "DURATION",
            "Wait this long, such as 500ms, 30s or 1h30m, or forever, then exit 75; 0 is -n.");
    private static final CommandOption CONFLICT_EXIT_CODE =
            CommandOption.of("-E, --conflict-exit-code", "CODE", "Exit with this code instead of 75.");
    private static final CommandOption FAIR = CommandOption.of(
            "--fair", "Do not overtake clients that have waited longer; all clients must use this option.");

    public static final List<CommandOption> OPTIONS = List.of(NO_WAIT, WAIT, CONFLICT_EXIT_CODE, FAIR);

    /** Acquires a lock with these options. */
    public interface Acquisition<T> {

        T acquire(LockOptions options) throws InterruptedException;
    }

    public static WaitOptions of(Arguments arguments) {
        Optional<Duration> limit = arguments.value(WAIT, DurationSyntax::parseLimit);
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

    /** Returns these lock options with the wait limit. */
    public LockOptions apply(LockOptions options) {
        return options.toBuilder()
                .fair(fair)
                .waitLimit(noWait ? Duration.ZERO : limit.orElse(LockOptions.FOREVER))
                .build();
    }

    /**
     * Acquires with options that {@link #apply} has returned: first without a wait, until a majority of the servers has
     * voted, and then within the wait limit. If one of several locks is lost during the wait for the next, it acquires
     * all again.
     *
     * @throws LockTimeoutException if another client holds the lock at the end of the wait
     * @throws QuorumUnreachableException if too few servers can be used
     */
    public <T> T acquire(LockOptions options, Acquisition<T> acquisition) throws InterruptedException {
        long start = System.nanoTime();
        ServerWait servers = new ServerWait(noWait);
        Duration left = options.waitLimit();
        boolean isQueued = false;
        while (true) {
            Duration wait = isQueued ? left : first();
            try {
                return acquisition.acquire(options.toBuilder().waitLimit(wait).build());
            } catch (LockTimeoutException held) {
                left = left(options, start);
                if (isQueued || left.isZero()) {
                    throw held;
                }
                isQueued = true;
            } catch (QuorumUnreachableException e) {
                left = left(options, start);
                if (isQueued) {
                    throw e;
                }
                servers.pause(e, left);
            } catch (LeaseLostException whileWaitingForTheNext) {
                left = left(options, start);
            }
        }
    }

    /** Returns the limit of the first attempt. One without a wait would have no position, and would overtake. */
    private Duration first() {
        return fair && !noWait ? ONE_ROUND : Duration.ZERO;
    }

    private static Duration left(LockOptions options, long start) {
        return Durations.longer(options.waitLimit().minusNanos(System.nanoTime() - start), Duration.ZERO);
    }

    /**
     * Reports a lock that was not acquired, with its holder, and returns the exit code. With {@code -n} the message is
     * only a hint, because cron would send it as a mail.
     */
    public int reportNotAcquired(LockTimeoutException e, Holdfast holdfast, Terminal terminal) {
        if (!noWait || terminal.showsHints()) {
            terminal.print(FailureText.of(e, HolderQuery.status(holdfast.admin(), e.resource())));
            FailureText.replies(e).ifPresent(terminal::detail);
        }
        return exitCode;
    }
}
