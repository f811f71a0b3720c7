package io.holdfast.lease;

/** What became of a release. In every case nothing that the lease left behind outlives its TTL. */
public enum ReleaseOutcome {
    /** A majority confirms that the lease was held until now and is given up. */
    RELEASED,
    /** The lease had been lost before, and what was left of it is cleaned up; or it had been detached, and nothing is touched. */
    NOT_HELD,
    /** Too few nodes answered in time. The release goes on in the background until they do or the lease has expired. */
    UNCONFIRMED
}
