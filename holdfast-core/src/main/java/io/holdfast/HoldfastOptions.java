package io.holdfast;

import io.holdfast.node.Fleet;
import java.time.Duration;

/**
 * What all clients of the same nodes have to agree on, and how this one connects. Immutable; a value that cannot work is
 * refused when it is given.
 *
 * @param maxLease the longest lease that any client asks for, 10 ms to 24 h. A node that was restarted stays out for a tenth more
 *     than this, so a long one makes recovery slow. A node tells a client that goes by another value
 * @param restarts what a restarted node does
 * @param strictFences whether a restarted node stays out until {@code N − Q + 1} other nodes have told which fencing tokens it
 *     may have forgotten. Otherwise, when so many forget at once, tokens stay in order as long as clocks agree to within 5 s
 * @param connectTimeout how long {@code connect} waits for connections
 */
public record HoldfastOptions(Duration maxLease, Restarts restarts, boolean strictFences, Duration connectTimeout) {

    private static final int SMALLEST_GUARDED = 3;

    /** Leases of up to a minute, quarantine from three nodes on, the clock where too few nodes remember, 2 s to connect. */
    public static final HoldfastOptions DEFAULT =
            new HoldfastOptions(Duration.ofMinutes(1), Restarts.BY_SIZE, false, Duration.ofSeconds(2));

    public HoldfastOptions {
        Require.lease("maxLease", maxLease);
        if (connectTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "connectTimeout " + connectTimeout + " is below 1 ms; give a duration such as PT2S");
        }
    }

    public HoldfastOptions withMaxLease(Duration newMaxLease) {
        return new HoldfastOptions(newMaxLease, restarts, strictFences, connectTimeout);
    }

    public HoldfastOptions withRestarts(Restarts newRestarts) {
        return new HoldfastOptions(maxLease, newRestarts, strictFences, connectTimeout);
    }

    public HoldfastOptions withStrictFences(boolean newStrictFences) {
        return new HoldfastOptions(maxLease, restarts, newStrictFences, connectTimeout);
    }

    public HoldfastOptions withConnectTimeout(Duration newConnectTimeout) {
        return new HoldfastOptions(maxLease, restarts, strictFences, newConnectTimeout);
    }

    Fleet fleet(int nodes) {
        return new Fleet(nodes, maxLease);
    }

    /** Whether restarted nodes have to stay out. */
    boolean isGuarded(int nodes) {
        return restarts == Restarts.QUARANTINE || (restarts == Restarts.BY_SIZE && nodes >= SMALLEST_GUARDED);
    }

    /** The lease is known to all clients as possible. */
    void requireLease(Duration lease) {
        if (lease.compareTo(maxLease) > 0) {
            throw new IllegalArgumentException("lease " + lease + " is longer than maxLease " + maxLease
                    + ", by which restarted nodes are kept out; shorten the lease, which renewal makes as long as you like, or"
                    + " raise maxLease for all clients");
        }
    }
}
