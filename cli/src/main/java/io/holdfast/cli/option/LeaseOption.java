package io.holdfast.cli.option;

import io.holdfast.LockOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.time.DurationSyntax;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * The lease and the bounds that limit it. A lease that is not given is as long as {@code --max-lease} and {@code
 * --hold-limit} allow, at most {@link LockOptions#DEFAULT}.
 */
public final class LeaseOption {

    private static final String NAME = "--lease";

    /** The lease of commands that end while the lock is held, so that Holdfast does not renew it. */
    public static final CommandOption LEASE = CommandOption.of(
            NAME,
            "DURATION",
            "How long the servers keep the lock unless it is renewed; at most --max-lease. Default: 30s.");

    /** The lease of a command during which Holdfast renews the lock. */
    public static final CommandOption RENEWED_LEASE = CommandOption.of(
            NAME,
            "DURATION",
            "How long the servers keep the lock if Holdfast dies; renewed while Holdfast lives. Default: 30s.");

    public static final CommandOption HOLD_LIMIT = CommandOption.of(
            "--hold-limit",
            "DURATION",
            "Hold the lock for at most this time, then treat it as lost. Default: forever.");

    private static final Duration MIN_LEASE = Duration.ofMillis(10);

    /** In less time, a process on a busy machine can neither renew the lease nor end its command. */
    private static final Duration MIN_RENEWED_LEASE = Duration.ofMillis(500);

    private static final Duration LATEST_ANSWER = Duration.ofSeconds(2);

    private LeaseOption() {}

    /** Returns the options of a lock that is held without renewal. */
    public static LockOptions of(Arguments arguments) {
        Duration lease = lease(arguments, LEASE, NodesOptions.maxLease(arguments));
        return LockOptions.builder().renewal(false).lease(lease).build();
    }

    /**
     * Returns the options of a lock that is released at once: no round follows if servers answer late, as they may when
     * a process has just begun.
     */
    public static LockOptions released(Arguments arguments) {
        LockOptions options = of(arguments);
        Duration patience = Durations.shorter(LATEST_ANSWER, Durations.part(options.lease(), 3));
        return options.toBuilder().nodeTimeout(patience).build();
    }

    /** Returns the options of a lock that is renewed, up to {@code --hold-limit}. */
    public static LockOptions renewed(Arguments arguments) {
        Duration longest = NodesOptions.maxLease(arguments);
        Optional<Duration> limit = arguments.value(HOLD_LIMIT, DurationSyntax::parseLimit);
        if (limit.isEmpty()) {
            return LockOptions.builder()
                    .lease(lease(arguments, RENEWED_LEASE, longest))
                    .build();
        }
        requireRange(HOLD_LIMIT, limit.get(), MIN_LEASE, LockOptions.FOREVER);
        Duration lease = lease(arguments, RENEWED_LEASE, Durations.shorter(longest, limit.get()));
        return LockOptions.builder().lease(lease).holdLimit(limit.get()).build();
    }

    private static Duration lease(Arguments arguments, CommandOption option, Duration longest) {
        Optional<Duration> given = arguments.value(option, DurationSyntax::parse);
        if (given.isEmpty()) {
            return Durations.shorter(LockOptions.DEFAULT.lease(), longest);
        }
        requireRange(option, given.get(), option.equals(LEASE) ? MIN_LEASE : MIN_RENEWED_LEASE, LockOptions.MAX_LEASE);
        if (given.get().compareTo(longest) > 0) {
            throw new Failure(ExitCode.USAGE, tooLong(given.get(), arguments));
        }
        return given.get();
    }

    private static String tooLong(Duration lease, Arguments arguments) {
        Duration max = NodesOptions.maxLease(arguments);
        return "--lease " + DurationText.setting(lease) + " is longer than "
                + (lease.compareTo(max) > 0
                        ? "the longest lease of all clients (" + DurationText.setting(max)
                                + "); shorten it, or give all clients a longer --max-lease"
                                + " and, with --previous-nodes, --previous-max-lease"
                        : "--hold-limit; shorten it");
    }

    /** Checks the longest lease of all clients. */
    static void requireMaxLease(CommandOption option, Duration value) {
        requireRange(option, value, MIN_RENEWED_LEASE, LockOptions.MAX_LEASE);
    }

    private static void requireRange(CommandOption option, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new Failure(
                    ExitCode.USAGE,
                    option.name() + " must be "
                            + (max.equals(LockOptions.FOREVER)
                                    ? "at least " + DurationText.setting(min)
                                    : "between " + DurationText.setting(min) + " and " + DurationText.setting(max))
                            + (option.equals(RENEWED_LEASE)
                                    ? "; Holdfast renews it while the command runs, so it need not be as long as the "
                                            + "job"
                                    : ""));
        }
    }
}
