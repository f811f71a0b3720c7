package io.holdfast.hold;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LossReason;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a hold at one moment, and its validity. Each method is a pure step to the next state; LOST and RELEASED
 * are final.
 *
 * @param validity the one that was confirmed last
 */
record HoldState(Phase phase, Validity validity) {

    private static final Phase HELD = new Phase(LeaseState.HELD, null, Rest.REMOVED);
    private static final Phase UNCERTAIN = new Phase(LeaseState.UNCERTAIN, null, Rest.REMOVED);
    private static final Phase RELEASED = new Phase(LeaseState.RELEASED, null, Rest.REMOVED);
    private static final Phase RETAINED = new Phase(LeaseState.RELEASED, null, Rest.RETAINED);
    private static final Phase DETACHED = new Phase(LeaseState.RELEASED, null, Rest.DETACHED);

    /** The fate of the lock on the nodes after the end of the hold. */
    enum Rest {
        /** The nodes remove it. */
        REMOVED,
        /** The lock stays for another process, so that this one must not release it. */
        DETACHED,
        /** The nodes retain it for a time; it ends by itself. */
        RETAINED
    }

    /** All but the validity: the same object for all holds that are not lost. */
    private record Phase(LeaseState state, @Nullable LossReason reason, Rest rest) {}

    static HoldState held(Validity validity) {
        return new HoldState(HELD, validity);
    }

    /** Returns the state of the lease. */
    LeaseState state() {
        return phase.state();
    }

    /** Returns the reason of a loss; otherwise null. */
    @Nullable
    LossReason reason() {
        return phase.reason();
    }

    /** Returns what becomes of the lock on the nodes. */
    Rest rest() {
        return phase.rest();
    }

    /**
     * Returns the time for which the nodes may keep the lock. It may be longer than a lease, since a user can extend
     * that.
     */
    Duration storedFor(LockParameters parameters, Moment now) {
        Duration left = validity.left(now).plus(parameters.drift().of(validity.length()));
        return Durations.longer(parameters.ttl(), left);
    }

    HoldState extended(Validity confirmed, Moment now) {
        return state().isValid() ? held(validity.orLonger(confirmed, now)) : this;
    }

    HoldState unconfirmed() {
        return to(UNCERTAIN);
    }

    /** Ends a hold whose validity is over, or that has reached this limit. */
    HoldState expired(HoldLimit limit, Moment now) {
        if (limit.endsBefore(validity, now)) {
            return lost(LossReason.HOLD_LIMIT);
        } else if (state() == LeaseState.UNCERTAIN) {
            return lost(LossReason.QUORUM_UNREACHABLE);
        }
        return lost(limit.isReached() ? LossReason.HOLD_LIMIT : LossReason.EXPIRED);
    }

    HoldState lost(LossReason why) {
        return to(new Phase(LeaseState.LOST, why, Rest.REMOVED));
    }

    HoldState released() {
        return to(RELEASED);
    }

    /** Ends the hold, and retains the lock on the nodes. */
    HoldState retained() {
        return to(RETAINED);
    }

    /** Ends the hold here and leaves the lock on the nodes, for the process that attaches it. */
    HoldState detached() {
        return to(DETACHED);
    }

    private HoldState to(Phase next) {
        return state().isValid() ? new HoldState(next, validity) : this;
    }
}
