package io.holdfast.quarantine;

import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * The beginning or the end of the quarantine of a node that may have forgotten its votes: it was restarted, flushed,
 * restored, replaced, or never used before.
 *
 * @param node the name of the node
 * @param timeLeft the time until it votes, if a client stays connected; zero: it votes again
 */
public record QuarantineEvent(String node, Duration timeLeft) {

    /** Returns {@code true} if the node votes again. */
    public boolean isOver() {
        return timeLeft.isZero();
    }

    @Override
    public String toString() {
        return isOver()
                ? node + " votes again"
                : node + " does not vote for " + Durations.toWholeSeconds(timeLeft) + " s";
    }
}
