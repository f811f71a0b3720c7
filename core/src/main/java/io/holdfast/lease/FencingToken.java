package io.holdfast.lease;

import java.io.Serializable;

/**
 * A number that the resource guarded by a lock checks: it rejects a token smaller than the greatest that it has seen,
 * so that a holder that was paused beyond its lease can do no harm. Immutable; ordered by value.
 *
 * @param value from 0 (no token) to 2⁵³ − 1, the greatest integer that every Redis client and script keeps exactly
 */
public record FencingToken(long value) implements Comparable<FencingToken>, Serializable {

    /** The token 0, smaller than every token of a lease. */
    public static final FencingToken NONE = new FencingToken(0);

    private static final long MAX = (1L << 53) - 1;

    /** The greatest possible token. */
    public static final FencingToken GREATEST = new FencingToken(MAX);

    /**
     * Creates a token.
     *
     * @throws IllegalArgumentException if the value is out of range
     */
    public FencingToken {
        if (value < 0 || value > MAX) {
            throw new IllegalArgumentException("A fencing token is 0 to 2^53 - 1, not " + value);
        }
    }

    /** Returns the token with the next number, at most the {@linkplain #GREATEST greatest}. */
    public FencingToken next() {
        return plus(1);
    }

    /**
     * Returns the token with the next even number, at most the greatest. Clients propose even numbers, and releases
     * seal with odd ones.
     */
    public FencingToken nextEven() {
        return new FencingToken(Math.min(MAX, (value | 1) + 1));
    }

    /** Returns the token whose number is greater by the step, at most the {@linkplain #GREATEST greatest}. */
    public FencingToken plus(long step) {
        return new FencingToken(value + Math.min(step, MAX - value));
    }

    /** Returns {@code true} if this token is greater than the other. */
    public boolean isAbove(FencingToken other) {
        return value > other.value;
    }

    /** Returns the greater of the two tokens. */
    public FencingToken max(FencingToken other) {
        return other.isAbove(this) ? other : this;
    }

    /** Compares by value. */
    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    /** Returns the decimal digits. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
