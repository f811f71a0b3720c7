package io.holdfast.spring.attribute;

import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import io.holdfast.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * The durations of an annotation, which change the options of a lock. Immutable.
 *
 * @param waitLimit null: that of the lock
 * @param lease null: that of the lock
 * @param holdLimit null: that of the lock
 * @param holdAtLeast the shortest time from the grant for which the nodes keep the lock
 */
public record AnnotatedOptions(
        @Nullable Duration waitLimit,
        @Nullable Duration lease,
        @Nullable Duration holdLimit,
        Duration holdAtLeast) {

    /**
     * Reads the attributes.
     *
     * @throws IllegalArgumentException if one of them is no duration with a unit, or is negative
     */
    public static AnnotatedOptions of(
            String waitLimit, String lease, String holdLimit, String holdAtLeast, ConfigurableBeanFactory beans) {
        Duration atLeast = AnnotatedDuration.of("holdAtLeast", holdAtLeast, beans);
        return new AnnotatedOptions(
                AnnotatedDuration.limit("waitLimit", waitLimit, beans),
                AnnotatedDuration.of("lease", lease, beans),
                AnnotatedDuration.limit("holdLimit", holdLimit, beans),
                atLeast == null ? Duration.ZERO : atLeast);
    }

    /**
     * Returns the options of a lock with these durations.
     *
     * @param otherwise the wait limit if the annotation has none; null: that of the lock
     * @throws IllegalArgumentException if they contradict each other
     */
    public LockOptions over(LockOptions defaults, @Nullable Duration otherwise, boolean fair) {
        LockOptionsBuilder options = defaults.toBuilder();
        Duration limit = waitLimit == null ? otherwise : waitLimit;
        if (limit != null) {
            options.waitLimit(limit);
        }
        if (lease != null) {
            options.lease(lease);
        }
        if (holdLimit != null) {
            options.holdLimit(holdLimit);
        }
        return options.fair(fair || defaults.fair()).build();
    }

    /**
     * Checks that the nodes will keep the lock for the shortest time. A rest that they must not keep would be refused
     * at the release, after the method; and the lease of a longer method is lost a margin before the limit.
     *
     * @throws IllegalArgumentException if the shortest time is too long
     */
    public void requireKept(LockOptions options, Duration maxLease) {
        if (holdAtLeast.compareTo(maxLease) > 0) {
            throw new IllegalArgumentException(
                    "holdAtLeast " + holdAtLeast + " is longer than the longest lease of " + maxLease);
        }
        if (holdAtLeast.compareTo(options.holdLimit().minus(options.margin())) > 0) {
            throw new IllegalArgumentException("holdAtLeast " + holdAtLeast.toMillis()
                    + " ms is longer than holdLimit " + options.holdLimit().toMillis() + " ms less its margin of "
                    + options.margin().toMillis() + " ms, when the lease is lost");
        }
    }

    /**
     * Returns the options of a lock for a call that has waited for its other locks. A wait limit of zero stays zero,
     * and no other one becomes zero: that is another policy, with its own patience for nodes.
     */
    public static LockOptions after(Duration waited, LockOptions options) {
        Duration limit = options.waitLimit();
        return waited.isZero() || limit.isZero()
                ? options
                : options.toBuilder()
                        .waitLimit(Durations.longer(Duration.ofMillis(1), limit.minus(waited)))
                        .build();
    }
}
