package io.holdfast.lease;

/** The state of a lease. LOST and RELEASED are final. */
public enum LeaseState {
    /** Granted, and its last renewal, if any, was confirmed by a majority. */
    HELD,
    /** Still valid, but the last renewal was not confirmed; it is repeated until the validity ends. */
    UNCERTAIN,
    /** No longer valid; {@link Loss} says why. */
    LOST,
    /** Released or detached by its holder. */
    RELEASED;

    /** Returns {@code true} for HELD and UNCERTAIN, in which the lease is valid. */
    public boolean isValid() {
        return this == HELD || this == UNCERTAIN;
    }
}
