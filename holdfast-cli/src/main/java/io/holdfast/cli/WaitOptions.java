package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long to wait for a lock that another holds, and what it means if that was in vain.
 *
 * @param noWait whether not to wait for another
 * @param limit how long to wait; empty: for ever
 * @param exitCode what to exit with if that was too short
 * @param fair whether those who have waited for longer come first
 */
record WaitOptions(boolean noWait, Optional<Duration> limit, int exitCode, boolean fair) {

    private static final Flag NO_WAIT =
            Flag.of("-n, --no-wait", "If another holds the lock, exit 75 at once. Default: wait for ever.");
    private static final Flag WAIT =
            Flag.of("-w, --wait", "DURATION", "Wait that long, such as 500ms, 30s or 1h30m, then exit 75.");
    private static final Flag CONFLICT_EXIT_CODE =
            Flag.of("-E, --conflict-exit-code", "CODE", "Exit with this code instead of 75.");
    private static final Flag FAIR = Flag.of(
            "--fair", "Let nobody in before those who have waited for longer; all who want the lock have to say so.");

    static final List<Flag> FLAGS = List.of(NO_WAIT, WAIT, CONFLICT_EXIT_CODE, FAIR);

    /** How long too few answering nodes are borne with: a restart, not an outage. */
    private static final Duration UNREACHABLE_LIMIT = Duration.ofSeconds(10);

    private static final int MAX_EXIT_CODE = 255;
    private static final long LOOK_MILLIS = 1_000;

    static WaitOptions of(Arguments given) {
        Optional<Duration> limit = given.value(WAIT, Durations::parse);
        if (given.has(NO_WAIT) && limit.isPresent()) {
            throw new Failure(ExitCode.USAGE, "-n and -w exclude each other; give one of them");
        }
        return new WaitOptions(
                given.has(NO_WAIT),
                limit,
                given.value(CONFLICT_EXIT_CODE, WaitOptions::exitCode).orElse(ExitCode.NOT_ACQUIRED),
                given.has(FAIR));
    }

    private static int exitCode(String text) {
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > MAX_EXIT_CODE) {
            throw new IllegalArgumentException("'" + text + "' is no exit code; give one from 0 to 255");
        }
        return Integer.parseInt(text);
    }

    /** The same options with this way of waiting. */
    LockOptions apply(LockOptions options) {
        return options.withFair(fair)
                .withUnreachableLimit(UNREACHABLE_LIMIT)
                .withWaitLimit(noWait ? Duration.ZERO : limit.orElse(LockOptions.FOREVER));
    }

    /**
     * Takes the lock. Where too few servers vote because they were restarted, waits until they do, which only those who stay connected
     * bring nearer: a job that always gives up at once would never run again.
     */
    Lease acquire(Holdfast holdfast, String name, LockOptions options) throws InterruptedException {
        long begun = System.nanoTime();
        LockOptions rest = options;
        while (true) {
            try {
                return holdfast.lock(name, rest).acquire();
            } catch (QuorumUnreachableException e) {
                Duration quarantine = e.untilVotes().orElseThrow(() -> e);
                if (limit.isPresent()) {
                    Duration left = limit.get().minusNanos(System.nanoTime() - begun);
                    if (quarantine.compareTo(left) > 0) {
                        throw e;
                    }
                    rest = options.withWaitLimit(left);
                }
                // An operator may end it sooner.
                Thread.sleep(Math.min(quarantine.toMillis() + 1, LOOK_MILLIS));
            }
        }
    }

    /** Who says {@code -n} expects it: a line from cron at each firing is a mail that nobody wants. */
    int tellNotAcquired(LockTimeoutException e, Terminal terminal) {
        String line = String.valueOf(e.getMessage());
        if (noWait) {
            terminal.hint(line);
        } else {
            terminal.print(line);
        }
        return exitCode;
    }
}
