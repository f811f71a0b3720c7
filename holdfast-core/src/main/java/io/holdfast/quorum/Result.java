package io.holdfast.quorum;

import io.holdfast.node.Claim;
import java.time.Duration;

/** What becomes of whoever wants a lock, when nothing breaks. */
public sealed interface Result {

    /**
     * The lock is held; the trail is that of the round that granted it.
     *
     * @param ownerIsKnown whether another process may know the owner, and hold the lock by it as well
     */
    record Grant(Claim claim, Trail trail, Validity validity, Terms terms, boolean ownerIsKnown) implements Result {

        /** A grant whose owner nobody else has seen. */
        Grant(Claim claim, Trail trail, Validity validity, Terms terms) {
            this(claim, trail, validity, terms, false);
        }

        /** The lease that follows this one within the process, as long as the nodes keep the lock for this one. */
        Grant follower() {
            return new Grant(claim.follower(), trail, validity, terms);
        }
    }

    /** The lock is held, and watched from the moment of the grant on: also while no thread has come for it. */
    record Held(Hold hold) implements Result {}

    /** The lock could not be had within the wait; the outcome is that of the last round. */
    record Refusal(Outcome outcome, int attempts, Duration waited) implements Result {

        /** Whether another owner was in the way; otherwise too few nodes answered, or too late. */
        public boolean isHeld() {
            return outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        }
    }

    /** The lock was left to this waiter by another of the process, and is there for it when it {@linkplain Contenders#take comes}. */
    record Called(Waiter waiter) implements Result {}
}
