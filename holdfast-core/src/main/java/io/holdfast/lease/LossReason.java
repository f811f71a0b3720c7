package io.holdfast.lease;

/** Why a lease can no longer be relied on. */
public enum LossReason {
    /** Its time ran out: renewal was off, or the lock vanished from the nodes. */
    EXPIRED,
    /** Another owner holds the lock on so many nodes that no majority is left. */
    TAKEN,
    /** Too few nodes confirmed a renewal before the validity ended. */
    QUORUM_UNREACHABLE,
    /** It was held for as long as {@code holdLimit} allows. */
    HOLD_LIMIT,
    /** The {@code Holdfast} that granted it was closed. */
    CLOSED
}
