package io.holdfast.quorum;

import java.time.Duration;

/**
 * How much of a lease is not relied on, since the clocks of the nodes may run faster than ours.
 *
 * <p>The form, a share of the lease and 2 ms, is that of the Redlock description (redis.io, "Distributed Locks with
 * Redis"); the 2 ms stand for the resolution of the server's expiry, 1 ms, on both sides.
 *
 * @param share of the lease, from 0 to below 1
 */
public record Drift(double share) {

    private static final Duration RESOLUTION = Duration.ofMillis(2);

    /** What is taken off a lease of this length. */
    public Duration of(Duration ttl) {
        long nanos = (long) Math.ceil(ttl.toNanos() * share);
        return Duration.ofNanos(nanos).plus(RESOLUTION);
    }
}
