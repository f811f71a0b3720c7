package io.holdfast.hold;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LossReason;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The state of a hold at one moment. Each method is a pure step to the next state; LOST and RELEASED are final.
 *
 * @param state the state of the lease
 * @param validity the validity that was confirmed last
 * @param reason the reason of a loss; otherwise null
 * @param rest what becomes of the lock on the nodes
 */
record HoldState(
        LeaseState state, Validity validity, @Nullable LossReason reason, Rest rest) {

    /** The fate of the lock on the nodes after the end of the hold. */
    enum Rest {
        /** The nodes remove it. */
        REMOVED,
        /** The lock stays for another process, so that this one must not release it. */
        DETACHED,
        /** The nodes retain it for a time; it ends by itself. */
        RETAINED
    }

    static HoldState held(Validity validity) {
        return new HoldState(LeaseState.HELD, validity, null, Rest.REMOVED);
    }

    HoldState extended(Validity confirmed, Moment now) {
        return state.isValid() ? held(validity.orLonger(confirmed, now)) : this;
    }

    HoldState unconfirmed() {
        return state.isValid() ? new HoldState(LeaseState.UNCERTAIN, validity, null, Rest.REMOVED) : this;
    }

    HoldState lost(LossReason why) {
        return state.isValid() ? new HoldState(LeaseState.LOST, validity, why, Rest.REMOVED) : this;
    }

    HoldState released() {
        return state.isValid() ? new HoldState(LeaseState.RELEASED, validity, null, Rest.REMOVED) : this;
    }

    /** Ends the hold, and retains the lock on the nodes. */
    HoldState retained() {
        return state.isValid() ? new HoldState(LeaseState.RELEASED, validity, null, Rest.RETAINED) : this;
    }

    /** Ends the hold here and leaves the lock on the nodes, for the process that attaches it. */
    HoldState detached() {
        return state.isValid() ? new HoldState(LeaseState.RELEASED, validity, null, Rest.DETACHED) : this;
    }
}
