package io.holdfast.simulation.world;

/** What is promised, each with a checker; the numbers are those of the invariants in {@code docs/evidence/simulation.md}. */
public enum Property {
    /** I1: of the leases that are relied on, no two are of one resource, unless both are shared. */
    EXCLUSION,
    /** I2: no two leases of a resource carry the same token. */
    UNIQUE_TOKENS,
    /** I3: a lease's token is greater than that of every lease that was granted before its attempt began. */
    TOKEN_ORDER,
    /** I4: as long as a node keeps its memory, what it accepts only grows. */
    NODE_FENCES,
    /** I5: a node votes again only above every token that it has helped to grant before it forgot. */
    FLOOR,
    /** I6: a node that was restarted grants nothing until the longest lease has passed. */
    QUARANTINE,
    /** I7: an extension, a repair or a release leaves the lock, or the share, of another owner alone. */
    OWN_LOCK_ONLY,
    /** I8: once a node has processed the release of an attempt, it never grants that attempt anything again. */
    SEAL,
    /** I9: a lease is relied on only within the ttl, less the drift, from before the sending of what a majority confirmed. */
    VALIDITY,
    /** I10: a loss is final, told once, and before the end of the validity unless the holder was stopped. */
    LOSS,
    /** I11: what the lock guards refuses no holder within its validity, and so never goes back to an older one. */
    FENCED_RESOURCE,
    /** I12: no key outlives its time to live, which is the longest lease at most; a shared one not its last share. */
    KEY_LIFE,
    /** I13, I14: when faults have stopped, every lock is granted within the longest lease, the quarantine and some retries. */
    LIVENESS,
    /** When faults have stopped, what was released or given up is gone from the nodes. */
    NOTHING_LEFT,
    /** I15: a node keeps no more fences than resources were locked in the last half hour. */
    BOUNDED_MEMORY,
    /** I16: no lease is held for longer than its limit. */
    HOLD_LIMIT,
    /** What one client has detached, that client does not release. */
    DETACHED,
    /** Of two who have one lease, the release by one of them ends it for the other as well, within the longest lease. */
    ENDS_FOR_BOTH,
    /** A renewed lease that was granted while all was well is not lost as long as all is well. */
    HELD_WHILE_HEALTHY,
    /** A semaphore never has more holders than permits. */
    PERMITS,
    /** When all users have gone, nothing is held, and no client of theirs waits on a node. */
    NOTHING_HELD,
    /** A method throws, and a future fails with, what is documented and nothing else. */
    DOCUMENTED,
    /** A wait ends within its limit and a bound, and a call that blocks returns. */
    WAIT_ENDS,
    /** A leader learns of each loss; a candidate that throws resigns. */
    ELECTION
}
