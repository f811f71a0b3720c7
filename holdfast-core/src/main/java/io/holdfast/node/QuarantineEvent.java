package io.holdfast.node;

import java.time.Duration;

/**
 * A node that may have forgotten its votes: it was restarted, flushed, restored, replaced, or nobody has used it before.
 *
 * @param node its name
 * @param timeLeft how long it does not vote, if a client stays connected; zero: it votes again
 */
public record QuarantineEvent(String node, Duration timeLeft) {

    public boolean isOver() {
        return timeLeft.isZero();
    }

    @Override
    public String toString() {
        return isOver() ? node + " votes again" : node + " does not vote for " + timeLeft.toSeconds() + " s";
    }
}
