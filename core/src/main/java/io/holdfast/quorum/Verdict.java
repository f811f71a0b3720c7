package io.holdfast.quorum;

/** The decision of the votes of a round. */
public enum Verdict {
    /** The decision depends on missing votes. */
    UNDECIDED,
    /** A majority has voted for the claim. */
    GRANTED,
    /**
     * No majority for the claim is possible, and enough nodes have answered to know that another owner is the reason.
     */
    REFUSED,
    /** No majority for the claim is possible, only because the proposed fence is too small or too great. */
    STALE,
    /** So many nodes have failed that the others are no majority. */
    UNREACHABLE
}
