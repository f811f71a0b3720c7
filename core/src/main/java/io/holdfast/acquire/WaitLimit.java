package io.holdfast.acquire;

import java.time.Duration;

/**
 * The limit of one acquisition. It bounds the whole wait: for a holder, and for nodes that do not vote.
 *
 * @param limit zero: the acquisition does not wait
 */
public record WaitLimit(Duration limit) {

    private static final int MOST_SPLIT_VOTES = 10;

    /** Returns the time that is left after this wait. */
    Duration left(Duration waited) {
        return limit.minus(waited);
    }

    /** Returns {@code true} if the acquisition waits for a holder, and so has a position in the wait queue. */
    boolean isWaiting() {
        return !limit.isZero();
    }

    /** Returns the number of rounds beyond the limit, after rounds in which concurrent clients split the votes. */
    int splitVotes() {
        return isWaiting() ? 0 : MOST_SPLIT_VOTES;
    }
}
