package io.holdfast.simulation.use;

/** A promise that a user sees broken without looking at the nodes. */
public enum Rule {
    /** A method throws, and a future fails with, what is documented and nothing else. */
    DOCUMENTED,
    /** A wait ends within its limit and a bound. */
    WAIT_ENDS,
    /** A candidate learns of each loss; one that throws resigns. */
    ELECTION
}
