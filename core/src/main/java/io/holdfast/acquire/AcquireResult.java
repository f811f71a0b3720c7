package io.holdfast.acquire;

import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;

/**
 * The result of an acquisition that did not fail. Not sealed: the hold that the layer above creates from a grant is a
 * result as well.
 */
public interface AcquireResult {

    /**
     * A granted lock, with the trace of the round that granted it.
     *
     * @param held the claim that was granted
     * @param grantedNanos when the nodes granted the lock to this lease or to the one that it follows, by the monotonic
     *     clock
     * @param ownerIsKnown whether another process may know the owner and hold the lock by it as well
     */
    record Grant(
            HeldClaim held,
            AttemptTrace trace,
            Validity validity,
            LockParameters parameters,
            long grantedNanos,
            boolean ownerIsKnown)
            implements AcquireResult {

        /** Creates a grant whose owner is known to this process only. */
        public Grant(
                HeldClaim held, AttemptTrace trace, Validity validity, LockParameters parameters, long grantedNanos) {
            this(held, trace, validity, parameters, grantedNanos, false);
        }

        /** Returns the claim that was granted, as an object for requests to the nodes. */
        public Claim claim() {
            return held.claim();
        }

        /** Returns {@code true} if enough of the validity is left for a lease that is handed over now. */
        boolean isFresh(Moment now) {
            return validity.isAboveThird(parameters.margin(), now);
        }

        /** Returns the grant of the lease that follows this one within the process; the nodes see no change. */
        Grant follower() {
            return new Grant(held.follower(), trace, validity, parameters, grantedNanos);
        }
    }

    /** An acquisition that was not granted within its limit; the outcome is that of the last round. */
    record Refusal(Outcome outcome, int attempts, Duration waited) implements AcquireResult {

        /** Returns {@code true} if another owner was the reason; otherwise too few nodes answered in time. */
        public boolean isHeld() {
            return outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        }
    }

    /**
     * The offer of a local hand-over, which the waiter has to {@linkplain LocalWaiters#accept accept} or to decline.
     */
    record Offered(LocalWaiter waiter) implements AcquireResult {}
}
