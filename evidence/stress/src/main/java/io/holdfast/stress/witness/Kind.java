package io.holdfast.stress.witness;

/** The kinds of violations. */
public enum Kind {
    OVERLAP("two holders inside a lock"),
    TOO_MANY("more holders inside a semaphore than it has permits"),
    TOKEN_ORDER("a token not above one that was granted before the acquire began"),
    TOKEN_TWICE("a token that was granted twice"),
    ATTACHED_AFTER_RELEASE("a lease that was attached to after its release"),
    LOST_WHILE_DETACHED("a lease that ended too early while it was detached"),
    RELEASED_WITHOUT_HOLDER("a lease that its holder did not release"),
    NOT_ON_NODES("a valid lease without keys on a majority of the nodes"),
    LOST_WHILE_RENEWED("a lease with renewal that was lost on healthy nodes"),
    NOT_DEPOSED("a leader that was not notified of its loss"),
    STILL_LEADS("a candidate that failed and kept the leadership"),
    LEASE_TOO_LONG("a lease longer than the quarantine of a restarted node"),
    UNEXPECTED("an exception or a result that is not documented"),
    STUCK("a thread that did not stop"),
    DEAD_CLIENT("a client that acquires no free lock, or does not see all nodes vote"),
    LEFT_ON_NODES("something that remained on a node"),
    LEFT_IN_CLIENT("something that remained in a client"),
    LEFT_THREADS("a thread that remained");

    private final String description;

    Kind(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }
}
