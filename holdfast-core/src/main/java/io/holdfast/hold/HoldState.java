package io.holdfast.hold;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LossReason;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Where a hold stands at one moment: its state and the validity confirmed last. Each method is a pure step to the next
 * current; from LOST and RELEASED none leads away.
 *
 * @param detached whether the lock stays on the nodes for another to resume, so that it must not be released from here
 */
record HoldState(
        LeaseState state, Validity validity, @Nullable LossReason reason, boolean detached) {

    static HoldState held(Validity validity) {
        return new HoldState(LeaseState.HELD, validity, null, false);
    }

    HoldState extended(Validity confirmed, Moment now) {
        return state.isValid() ? held(validity.orLonger(confirmed, now)) : this;
    }

    HoldState doubted() {
        return state.isValid() ? new HoldState(LeaseState.UNCERTAIN, validity, null, false) : this;
    }

    HoldState lost(LossReason why) {
        return state.isValid() ? new HoldState(LeaseState.LOST, validity, why, false) : this;
    }

    HoldState released() {
        return state.isValid() ? new HoldState(LeaseState.RELEASED, validity, null, false) : this;
    }

    /** Ends the hold here, and leaves the lock to the process that resumes it. */
    HoldState handedOn() {
        return state.isValid() ? new HoldState(LeaseState.RELEASED, validity, null, true) : this;
    }
}
