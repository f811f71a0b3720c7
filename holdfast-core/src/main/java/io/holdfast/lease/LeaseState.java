package io.holdfast.lease;

/** Where a lease stands. LOST and RELEASED are final. */
public enum LeaseState {
    /** Granted, and its last renewal, if any, was confirmed by a majority. */
    HELD,
    /** Still valid, but the last renewal was not confirmed; it is tried again until the validity ends. */
    UNCERTAIN,
    /** No longer to be relied on; {@link Loss} says why. */
    LOST,
    /** Given up by its holder. */
    RELEASED;

    /** Whether the holder may still rely on the lease. */
    public boolean isValid() {
        return this == HELD || this == UNCERTAIN;
    }
}
