package io.holdfast.simulation.world;

/**
 * The promises, each with a checker; the numbers are those of the invariants in {@code docs/evidence/simulation.md}.
 */
public enum Property {
    /** I1: of the leases that are relied on, no two are of one resource, unless both are shared. */
    EXCLUSION,
    /** I2: no two leases of a resource carry the same token. */
    UNIQUE_TOKENS,
    /** I3: a lease's token is greater than that of every lease that was granted before its attempt began. */
    TOKEN_ORDER,
    /** I4: as long as a node keeps its memory, the minimum fence that it accepts only grows. */
    NODE_FENCES,
    /** I5: a node votes again only above every token that it has helped to grant before it forgot. */
    FLOOR,
    /** I6: a node that was restarted grants nothing until the longest lease has passed. */
    QUARANTINE,
    /** I7: an extension, a repair or a release never changes the lock or the share of another owner. */
    OWN_LOCK_ONLY,
    /** I8: once a node has processed the release of an attempt, it never grants that attempt anything again. */
    SEAL,
    /**
     * I9: a lease is relied on only within the ttl, less the drift, counted from before the sending of the confirmed
     * round.
     */
    VALIDITY,
    /** I10: a loss is final, reported once, and before the end of the validity unless the holder was stopped. */
    LOSS,
    /** I11: the guarded resource rejects no holder within its validity, and so never returns to an older one. */
    FENCED_RESOURCE,
    /**
     * I12: no key outlives its time to live, which is at most the longest lease; a shared key never outlives its last
     * share.
     */
    KEY_LIFE,
    /** I13, I14: after the faults, every lock is granted within the longest lease, the quarantine and some retries. */
    LIVENESS,
    /** When faults have stopped, released and abandoned locks disappear from the nodes. */
    NOTHING_LEFT,
    /** I15: a node remembers no more fences than resources were locked in the last half hour. */
    BOUNDED_MEMORY,
    /** I16: no lease is held for longer than its limit. */
    HOLD_LIMIT,
    /** A client never releases a lease that it has detached. */
    DETACHED,
    /**
     * Once the nodes have confirmed that they keep a released lock for a time, no client is granted it within that
     * time, less the drift of the nodes' clocks; of a lock that they keep in shared mode, no exclusive client.
     */
    RETENTION,
    /**
     * A holder that reads the record beside its lock finds each text that was confirmed before, or learns that it may
     * be missing.
     */
    RECORD,
    /**
     * When two users have one lease, the release by one of them ends it for the other as well, within the longest
     * lease.
     */
    ENDS_FOR_BOTH,
    /**
     * A renewed lease that was granted while all was well is not lost as long as all is well, also if its client is
     * interrupted for less than a third of the time for which the nodes store it.
     */
    HELD_WHILE_HEALTHY,
    /** A semaphore never has more holders than permits. */
    PERMITS,
    /** When all users have stopped, nothing is held, and no client of theirs waits on a node. */
    NOTHING_HELD,
    /** A method throws, and a future fails with, documented exceptions only. */
    DOCUMENTED,
    /** A wait ends within its limit and a bound, and a blocking call returns. */
    WAIT_ENDS,
    /** A leader is notified of each loss; a candidate that throws resigns. */
    ELECTION
}
