package io.holdfast.lease;

/**
 * The outcome of a release. Whatever it is, the nodes forget the lease after at most its TTL, or after the time for
 * which the release asks them to keep the lock.
 */
public enum ReleaseOutcome {
    /**
     * A majority confirmed that the lease was held until now and is released, and that they keep the lock if they were
     * asked to.
     */
    RELEASED,
    /** The lease had been lost before, and its remains are removed; or it had been detached, and nothing was sent. */
    NOT_HELD,
    /**
     * Too few nodes answered in time. The release continues in the background until they do or the lease has expired.
     */
    UNCONFIRMED
}
