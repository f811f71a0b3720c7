package io.holdfast.lease;

import java.io.Serializable;

/**
 * The number that the guarded resource checks: it refuses a token smaller than the greatest it has seen, and so a holder
 * that was paused beyond its lease can do no harm.
 *
 * @param value from 0 (no token) to 2⁵³ − 1, the greatest integer that every Redis client and script keeps exactly
 */
public record FencingToken(long value) implements Comparable<FencingToken>, Serializable {

    /** Smaller than every token that a lease carries. */
    public static final FencingToken NONE = new FencingToken(0);

    private static final long MAX = (1L << 53) - 1;

    /** No token is above it. */
    public static final FencingToken GREATEST = new FencingToken(MAX);

    public FencingToken {
        if (value < 0 || value > MAX) {
            throw new IllegalArgumentException("A fencing token is 0 to 2^53 - 1, not " + value);
        }
    }

    /** The next number. */
    public FencingToken next() {
        return new FencingToken(value + 1);
    }

    /** The next even number: clients propose these, and releases seal with the odd ones. */
    public FencingToken nextEven() {
        return new FencingToken(Math.min(MAX, (value | 1) + 1));
    }

    /** The number that lies so far above, or the {@linkplain #GREATEST greatest}. */
    public FencingToken plus(long step) {
        return new FencingToken(Math.min(MAX, value + step));
    }

    public boolean isAbove(FencingToken other) {
        return value > other.value;
    }

    /** The greater of the two. */
    public FencingToken max(FencingToken other) {
        return other.isAbove(this) ? other : this;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    /** The decimal digits. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
