package io.holdfast.quorum;

import java.time.Duration;

/**
 * The part of a lease that is not relied on, since the clocks of the nodes may run faster than that of the client.
 *
 * <p>The form, a share of the lease and 2 ms, is that of the Redlock description (redis.io, "Distributed Locks with
 * Redis"). The 2 ms cover the resolution of the server's expiry, 1 ms, on both sides.
 *
 * @param share the part of the lease, from 0 to below 1
 */
public record Drift(double share) {

    private static final Duration RESOLUTION = Duration.ofMillis(2);

    /** Returns the drift to subtract from a lease of this length. */
    public Duration of(Duration ttl) {
        long nanos = (long) Math.ceil(ttl.toNanos() * share);
        return Duration.ofNanos(nanos).plus(RESOLUTION);
    }
}
