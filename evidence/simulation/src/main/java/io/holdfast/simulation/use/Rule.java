package io.holdfast.simulation.use;

/** A promise whose violation a user can see without access to the nodes. */
public enum Rule {
    /** A method throws, and a future fails with, documented exceptions only. */
    DOCUMENTED,
    /** A wait ends within its limit and a bound. */
    WAIT_ENDS,
    /** A candidate is notified of each loss; one that throws resigns. */
    ELECTION
}
