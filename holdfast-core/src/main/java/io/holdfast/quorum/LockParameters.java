package io.holdfast.quorum;

import io.holdfast.lease.LockMode;
import java.time.Duration;

/**
 * The parameters of one lock, computed and checked by the options that they come from.
 *
 * @param ttl the time for which a node keeps the lock without an extension
 * @param drift the part of the TTL that is not relied on
 * @param margin the time before the end of the validity at which a lease is declared lost
 * @param nodeTimeout the longest wait of a round for a node
 * @param retry the delays between attempts
 * @param fair whether waiters that have waited for longer always go first
 * @param mode whether the lock is exclusive or shared
 */
public record LockParameters(
        Duration ttl, Drift drift, Duration margin, Duration nodeTimeout, Backoff retry, boolean fair, LockMode mode) {

    /** Returns these parameters with another node timeout. */
    public LockParameters withNodeTimeout(Duration newTimeout) {
        return new LockParameters(ttl, drift, margin, newTimeout, retry, fair, mode);
    }

    /** Returns {@code true} if the lock is shared. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }
}
