package io.holdfast.node;

import java.time.Duration;

/**
 * The beginning or the end of a quarantine. A node is in quarantine if it may have forgotten its votes: it was
 * restarted, flushed, restored or replaced, or no client has used it before.
 *
 * @param node the name of the node
 * @param timeLeft how long the node does not vote if a client stays connected; zero: it votes again
 */
public record QuarantineEvent(String node, Duration timeLeft) {

    /** Returns {@code true} if the quarantine has ended. */
    public boolean isOver() {
        return timeLeft.isZero();
    }

    @Override
    public String toString() {
        return isOver() ? node + " votes again" : node + " does not vote for " + timeLeft.toSeconds() + " s";
    }
}
