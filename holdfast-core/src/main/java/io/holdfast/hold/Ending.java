package io.holdfast.hold;

import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;

/** The result of the release of a hold. */
public enum Ending {
    /** A majority has released the lock, or another lease of this process has taken it over. */
    RELEASED,
    /** The hold had ended before, or a majority has denied the lock to this owner. */
    NOT_HELD,
    /** Too few nodes answered in time. */
    UNCONFIRMED;

    static Ending of(Outcome answered) {
        if (answered.verdict() == Verdict.GRANTED) {
            return RELEASED;
        }
        return answered.tally().isDenied() ? NOT_HELD : UNCONFIRMED;
    }
}
