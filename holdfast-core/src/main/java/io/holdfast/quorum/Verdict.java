package io.holdfast.quorum;

/** What the votes of a round decide. */
public enum Verdict {
    /** The missing votes matter. */
    UNDECIDED,
    /** A majority said yes. */
    GRANTED,
    /** No majority can say yes, and enough nodes answered to know it: another owner is in the way. */
    REFUSED,
    /** No majority can say yes for no other reason than the proposed fencing token: a greater one was accepted, or it is too great. */
    STALE,
    /** So many nodes failed that no majority is left of those that answer. */
    UNREACHABLE
}
