package io.holdfast.simulation.use;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The choices of users: names of locks, options up to their bounds, durations.
 *
 * @param names the names of the locks
 * @param base the options that most users have
 * @param maxLease the longest lease that the client allows
 * @param permits the permits of the semaphore
 * @param exactClocks whether all clocks have the same rate, so that no drift has to be subtracted
 */
public record Menu(List<String> names, LockOptions base, Duration maxLease, int permits, boolean exactClocks) {

    static final String SEMAPHORE = "pool";
    static final String ELECTION = "leader";
    private static final Duration LONGEST_CALL = Duration.ofMillis(200);
    private static final Duration BRIEF = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE);

    /** Returns one of the locks; the first is chosen so often that users contend for it. */
    String name(RandomGenerator random) {
        return names.get(random.nextInt(3) == 0 ? 0 : random.nextInt(names.size()));
    }

    /** Returns options for one acquisition: usually the base options, sometimes with one of them at a bound. */
    LockOptions options(RandomGenerator random) {
        LockOptions usual = base.toBuilder().waitLimit(waitLimit(random)).build();
        return switch (random.nextInt(16)) {
            case 0 -> usual.toBuilder().lease(maxLease).build();
            case 1 -> usual.toBuilder().holdLimit(usual.lease()).build();
            case 2 ->
                usual.toBuilder().holdLimit(LockOptions.FOREVER).renewal(true).build();
            case 3 -> usual.toBuilder().renewal(false).build();
            case 4 -> usual.toBuilder().driftShare(exactClocks ? 0 : 0.5).build();
            case 7 ->
                usual.toBuilder()
                        .retryDelays(Duration.ofMillis(1), Duration.ofMillis(100))
                        .waitLimit(BRIEF)
                        .build();
            case 8 -> atBounds(usual);
            case 9 -> usual.toBuilder().nodeTimeout(Duration.ofMillis(1)).build();
            default -> usual;
        };
    }

    /**
     * Returns options with the longest allowed delays. Such a waiter asks again only when it is notified, so its wait
     * is limited.
     */
    private LockOptions atBounds(LockOptions usual) {
        return usual.toBuilder()
                .retryDelays(Duration.ofMillis(20), MOST)
                .waitLimit(base.lease())
                .build();
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

    /** Returns the limit of a blocking call: the world goes on meanwhile, but no other task blocks. */
    Duration callLimit(RandomGenerator random) {
        Duration half = base.lease().dividedBy(2);
        return upTo(random, half.compareTo(LONGEST_CALL) < 0 ? half : LONGEST_CALL);
    }

    /** Returns options with a lease longer than the client allows. */
    LockOptions tooLong(RandomGenerator random) {
        return base.toBuilder()
                .holdLimit(LockOptions.FOREVER)
                .lease(maxLease.plusMillis(1 + random.nextInt(10_000)))
                .build();
    }

    /** Returns the duration of an extension: from the least to the longest. */
    Duration extension(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> Duration.ofMillis(10);
            case 1 -> base.lease().dividedBy(2);
            case 2, 3 -> base.lease();
            case 4 -> maxLease.minus(base.lease().dividedBy(2));
            default -> maxLease;
        };
    }

    /** Returns how long the nodes keep a lock after its release: mostly for a moment, at most for the longest lease. */
    Duration retention(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofNanos(1);
            case 2 -> maxLease;
            default -> upTo(random, base.lease().dividedBy(2));
        };
    }

    /** Returns how long a lease is held: usually for a moment, sometimes for longer than the lease. */
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
