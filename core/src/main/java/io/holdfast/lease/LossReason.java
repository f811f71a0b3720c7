package io.holdfast.lease;

/** The reason why a lease was lost. */
public enum LossReason {
    /** The lease expired: renewal was off, or the lock vanished from the nodes. */
    EXPIRED,
    /** Another owner holds the lock on so many nodes that no majority is left. */
    TAKEN,
    /** Too few nodes confirmed a renewal before the validity ended. */
    QUORUM_UNREACHABLE,
    /** The lease was held for as long as the hold limit allows. */
    HOLD_LIMIT,
    /** The {@code Holdfast} that granted it was closed. */
    CLOSED
}
