package io.holdfast.quorum;

import io.holdfast.lease.LockMode;
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
 * @param mode with whom the lock is held
 */
public record LockParameters(
        Duration ttl, Drift drift, Duration margin, Duration nodeTimeout, Backoff retry, boolean fair, LockMode mode) {

    /** The same lock, whose rounds wait longer for a node. */
    public LockParameters withNodeTimeout(Duration longer) {
        return new LockParameters(ttl, drift, margin, longer, retry, fair, mode);
    }

    public boolean isShared() {
        return mode == LockMode.SHARED;
    }
}
