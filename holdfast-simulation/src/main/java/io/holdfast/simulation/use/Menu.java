package io.holdfast.simulation.use;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What users may choose: names of locks, options up to their bounds, durations.
 *
 * @param names of the locks
 * @param base the options that most users have
 * @param maxLease the longest lease that the client allows
 * @param permits of the semaphore
 * @param exactClocks whether all clocks go at the same rate, so that no drift need be taken off
 */
public record Menu(List<String> names, LockOptions base, Duration maxLease, int permits, boolean exactClocks) {

    static final String SEMAPHORE = "pool";
    static final String ELECTION = "leader";
    private static final Duration LONGEST_CALL = Duration.ofMillis(200);
    private static final Duration BRIEF = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE);

    /** One of the locks; so often the first that users contend for it. */
    String name(RandomGenerator random) {
        return names.get(random.nextInt(3) == 0 ? 0 : random.nextInt(names.size()));
    }

    /** Two locks of the names next to each other. */
    List<String> several(RandomGenerator random) {
        int first = random.nextInt(names.size() - 1);
        return names.subList(first, first + 2);
    }

    /** Options for one acquisition: most often the usual ones, now and then one of them at a bound. */
    LockOptions options(RandomGenerator random) {
        LockOptions usual = base.withWaitLimit(waitLimit(random));
        return switch (random.nextInt(16)) {
            case 0 -> usual.withLease(maxLease);
            case 1 -> usual.withHoldLimit(usual.lease());
            case 2 -> usual.withHoldLimit(LockOptions.FOREVER).withRenewal(true);
            case 3 -> usual.withRenewal(false);
            case 4 -> usual.withDriftShare(exactClocks ? 0 : 0.5);
            case 5 -> usual.withUnreachableLimit(Duration.ZERO);
            case 6 -> usual.withUnreachableLimit(MOST);
            case 7 ->
                usual.withRetryDelays(Duration.ofMillis(1), Duration.ofMillis(100))
                        .withWaitLimit(BRIEF);
            case 8 -> atBounds(usual);
            case 9 -> usual.withNodeTimeout(Duration.ofMillis(1));
            default -> usual;
        };
    }

    /** The longest delays that can be given. Such a waiter asks again only when it is notified, so it waits for a while only. */
    private LockOptions atBounds(LockOptions usual) {
        return usual.withRetryDelays(Duration.ofMillis(20), MOST).withWaitLimit(base.lease());
    }

    private Duration waitLimit(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> Duration.ZERO;
            case 1 -> LockOptions.FOREVER;
            case 2 -> MOST;
            case 3, 4 -> base.lease().dividedBy(2);
            default -> base.lease().multipliedBy(2);
        };
    }

    /** How long a call waits that blocks: everything else goes on meanwhile, but nobody else blocks. */
    Duration patience(RandomGenerator random) {
        Duration half = base.lease().dividedBy(2);
        return upTo(random, half.compareTo(LONGEST_CALL) < 0 ? half : LONGEST_CALL);
    }

    /** A lease longer than the client allows. */
    LockOptions tooLong(RandomGenerator random) {
        return base.withHoldLimit(LockOptions.FOREVER).withLease(maxLease.plusMillis(1 + random.nextInt(10_000)));
    }

    /** For how long a lease may be extended: from the least to the longest. */
    Duration extension(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> Duration.ofMillis(10);
            case 1 -> base.lease().dividedBy(2);
            case 2, 3 -> base.lease();
            case 4 -> maxLease.minus(base.lease().dividedBy(2));
            default -> maxLease;
        };
    }

    /** How long most leases are held: for a moment; some for longer than the lease. */
    Duration stay(RandomGenerator random) {
        Duration longest = switch (random.nextInt(20)) {
            case 0 -> maxLease;
            case 1, 2 -> base.lease();
            default -> Duration.ofMillis(15);
        };
        return upTo(random, longest);
    }

    static Duration upTo(RandomGenerator random, Duration longest) {
        return Duration.ofNanos(random.nextLong(longest.toNanos()));
    }

    static Duration upToMillis(RandomGenerator random, int millis) {
        return upTo(random, Duration.ofMillis(millis));
    }
}
