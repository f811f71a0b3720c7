package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;

/** The state of a lock, as far as the answers of the nodes show it. */
public enum LockState {
    HELD,
    FREE,
    /** Some nodes report holders, and none of them can have a majority. */
    CONTESTED,
    /** The nodes that do not answer decide whether the lock is held. */
    UNKNOWN;

    /** Returns the state of the lock. A lock is free only if the missing answers cannot change that. */
    public static LockState of(LockStatus status) {
        if (status.held().isPresent()) {
            return HELD;
        }
        if (status.mayBeHeld()) {
            return UNKNOWN;
        }
        return status.isHeldSomewhere() ? CONTESTED : FREE;
    }
}
