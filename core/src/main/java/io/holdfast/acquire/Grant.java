package io.holdfast.acquire;

import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;

/**
 * A granted lock, with the trace of the round that granted it.
 *
 * @param claim the claim that was granted, without its ticket, since the waiter has left the queue
 * @param grantedNanos when the nodes granted the lock to this lease or to the one that it follows, by the monotonic
 *     clock
 */
public record Grant(
        Claim claim,
        AttemptTrace trace,
        Validity validity,
        LockParameters parameters,
        long grantedNanos,
        Origin origin) {

    /** The place that a lock comes from. */
    public enum Origin {
        /** The nodes have granted it to a claim of its own. */
        NODES,
        /** A lease of this process has handed it over. */
        LEASE,
        /** Another process has detached it, which may know the owner and hold the lock by it as well. */
        PROCESS
    }

    /** Creates a grant of the nodes. */
    public Grant(Claim claim, AttemptTrace trace, Validity validity, LockParameters parameters, long grantedNanos) {
        this(claim, trace, validity, parameters, grantedNanos, Origin.NODES);
    }

    /** Returns the validity that is left, zero after its end. */
    public Duration left(Moment now) {
        return Durations.longer(Duration.ZERO, validity.left(now));
    }

    /** Returns {@code true} if enough of the validity is left for a lease that is handed over now. */
    boolean isFresh(Moment now) {
        return validity.isAboveThird(parameters.margin(), now);
    }

    /** Returns the grant of the lease that follows this one within the process; the nodes see no change. */
    Grant follower() {
        return new Grant(claim.follower(), trace, validity, parameters, grantedNanos, Origin.LEASE);
    }
}
