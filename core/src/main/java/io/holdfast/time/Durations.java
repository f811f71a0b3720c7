package io.holdfast.time;

import java.time.Duration;

/**
 * Arithmetic with durations. {@link Duration} itself divides and multiplies with {@link java.math.BigDecimal}, which
 * takes a hundred times as long, and some 10 ms the first time.
 */
public final class Durations {

    /** A limit that is never reached: 100 years. */
    public static final Duration FOREVER = Duration.ofDays(36_525);

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    private Durations() {}

    /** Returns the shorter of the two. */
    public static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /** Returns the longer of the two. */
    public static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** Returns one of this number of equal parts, rounded down to whole nanoseconds. */
    public static Duration part(Duration whole, int parts) {
        long rest = Math.floorMod(whole.getSeconds(), parts) * NANOS_PER_SECOND + whole.getNano();
        return Duration.ofSeconds(Math.floorDiv(whole.getSeconds(), parts), rest / parts);
    }

    /** Returns the duration rounded down to whole microseconds. */
    public static long toMicros(Duration one) {
        return one.toNanos() / 1_000;
    }

    /** Returns the whole milliseconds rounded up to seconds, for messages about a time to wait. */
    public static long toWholeSeconds(Duration one) {
        return (one.toMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND;
    }

    /** Returns the duration rounded up to whole milliseconds; zero if it is negative. */
    public static Duration toWholeMillis(Duration one) {
        return Duration.ofMillis(Math.max(0, one.plusNanos(NANOS_PER_MILLI - 1).toMillis()));
    }

    /**
     * Returns the duration multiplied by a number.
     *
     * @throws ArithmeticException if the result is longer than 292 years
     */
    public static Duration times(Duration one, int count) {
        return Duration.ofNanos(Math.multiplyExact(one.toNanos(), count));
    }
}
