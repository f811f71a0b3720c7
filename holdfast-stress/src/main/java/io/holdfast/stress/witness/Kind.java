package io.holdfast.stress.witness;

/** The ways in which a promise can be broken. */
public enum Kind {
    OVERLAP("two inside a lock"),
    TOO_MANY("more inside a semaphore than it has permits"),
    TOKEN_ORDER("a token not above one that was granted before the acquire began"),
    TOKEN_TWICE("a token that was granted twice"),
    RESUMED_AFTER_RELEASE("a lease that was resumed after its release"),
    LOST_ON_THE_WAY("a lease that was detached and was gone before its time"),
    RELEASED_BY_NOBODY("a lease that was released without its holder"),
    NOT_ON_NODES("a live lease that a majority of the nodes did not know"),
    LOST_WHILE_RENEWED("a lease with renewal that was lost on healthy nodes"),
    NOT_DEPOSED("a leader that was not notified of its loss"),
    STILL_LEADS("a candidate that failed and kept the leadership"),
    LEASE_TOO_LONG("a lease longer than the nodes keep a restarted node out"),
    UNEXPECTED("an exception or an answer that is not documented"),
    STUCK("a thread that did not come to rest"),
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
