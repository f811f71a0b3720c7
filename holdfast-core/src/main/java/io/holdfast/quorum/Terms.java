package io.holdfast.quorum;

import io.holdfast.node.Access;
import java.time.Duration;

/**
 * The figures of one lock, worked out and checked by the options they come from.
 *
 * @param ttl how long a node keeps the lock without an extension
 * @param drift what is taken off it
 * @param margin how long before the end of its validity a lease is declared lost
 * @param nodeTimeout how long a round waits for a node
 * @param retry the delays between attempts
 * @param fair whether nobody is let in before those who have waited for longer
 * @param access with whom the lock is held
 */
public record Terms(
        Duration ttl,
        Drift drift,
        Duration margin,
        Duration nodeTimeout,
        RetryDelays retry,
        boolean fair,
        Access access) {

    /** The same lock, whose rounds wait longer for a node. */
    Terms withNodeTimeout(Duration longer) {
        return new Terms(ttl, drift, margin, longer, retry, fair, access);
    }

    boolean isShared() {
        return access == Access.SHARED;
    }
}
