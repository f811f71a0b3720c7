package io.holdfast.acquire;

import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import java.time.Duration;

/**
 * The result of an acquisition that did not fail. Not sealed: a hold, which the layer above makes of a grant, is a result as well.
 */
public interface AcquireResult {

    /**
     * The lock is held; the trail is that of the round that granted it.
     *
     * @param ownerIsKnown whether another process may know the owner, and hold the lock by it as well
     */
    record Grant(Claim claim, AttemptTrace trace, Validity validity, LockParameters parameters, boolean ownerIsKnown)
            implements AcquireResult {

        /** A grant whose owner nobody else has seen. */
        public Grant(Claim claim, AttemptTrace trace, Validity validity, LockParameters parameters) {
            this(claim, trace, validity, parameters, false);
        }

        /** The lease that follows this one within the process, as long as the nodes keep the lock for this one. */
        Grant follower() {
            return new Grant(claim.follower(), trace, validity, parameters);
        }
    }

    /** The lock could not be had within the wait; the outcome is that of the last round. */
    record Refusal(Outcome outcome, int attempts, Duration waited) implements AcquireResult {

        /** Whether another owner was in the way; otherwise too few nodes answered, or too late. */
        public boolean isHeld() {
            return outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        }
    }

    /** The lock was left to this waiter by another of the process, and is there for it when it {@linkplain LocalWaiters#accept comes}. */
    record Offered(LocalWaiter waiter) implements AcquireResult {}
}
