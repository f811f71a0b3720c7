package io.holdfast.quorum;

import io.holdfast.event.LeaseState;
import io.holdfast.event.LossReason;
import io.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Where a hold stands at one moment: its state and the validity confirmed last. Each method is a pure step to the next
 * standing; from LOST and RELEASED none leads away.
 *
 * @param detached whether the lock stays on the nodes for another to resume, so that it must not be released from here
 */
record Standing(
        LeaseState state, Validity validity, @Nullable LossReason reason, boolean detached) {

    static Standing held(Validity validity) {
        return new Standing(LeaseState.HELD, validity, null, false);
    }

    Standing extended(Validity confirmed, Moment now) {
        return state.isLive() ? held(validity.orLonger(confirmed, now)) : this;
    }

    Standing doubted() {
        return state.isLive() ? new Standing(LeaseState.UNCERTAIN, validity, null, false) : this;
    }

    Standing lost(LossReason why) {
        return state.isLive() ? new Standing(LeaseState.LOST, validity, why, false) : this;
    }

    Standing released() {
        return state.isLive() ? new Standing(LeaseState.RELEASED, validity, null, false) : this;
    }

    /** Ends the hold here, and leaves the lock to the process that resumes it. */
    Standing handedOn() {
        return state.isLive() ? new Standing(LeaseState.RELEASED, validity, null, true) : this;
    }
}
