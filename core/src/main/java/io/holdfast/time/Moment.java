package io.holdfast.time;

import java.time.Duration;

/**
 * One reading of the monotonic clock and of the wall clock. Immutable.
 *
 * <p>A monotonic clock stops while a machine is suspended, and a wall clock can be set. The time that has passed
 * between two moments is therefore the larger of the two differences: a lease may end too early, never too late.
 *
 * @param nanos the monotonic clock, in nanoseconds from an arbitrary origin; compared by subtraction only
 * @param wallMicros the wall clock, in microseconds since 1970
 */
public record Moment(long nanos, long wallMicros) {

    /** Returns the time from the earlier moment to this one, by the clock that shows more; never negative. */
    public Duration since(Moment earlier) {
        long monotonic = nanos - earlier.nanos;
        long wall = (wallMicros - earlier.wallMicros) * 1_000;
        return Duration.ofNanos(Math.max(0, Math.max(monotonic, wall)));
    }

    /**
     * Returns the time that has certainly passed since the earlier moment: by the monotonic clock, which cannot be set.
     * Less than the real time after the machine was suspended; never negative.
     */
    public Duration surelySince(Moment earlier) {
        return Duration.ofNanos(Math.max(0, nanos - earlier.nanos));
    }
}
