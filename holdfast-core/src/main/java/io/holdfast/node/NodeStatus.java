package io.holdfast.node;

import java.time.Duration;

/**
 * The condition of a node as this client knows it, without a round trip.
 *
 * @param name as {@link LockNode#name}
 * @param state whether its vote counts
 * @param duration of a node in quarantine, the time until it votes if a client stays connected; of one that is unreachable, the
 *     time since that began; otherwise zero
 * @param cause one line for the user, empty for a node that votes
 */
public record NodeStatus(String name, State state, Duration duration, String cause) {

    /** Whether a vote of the node counts, or why not. */
    public enum State {
        /** The node is connected and votes. */
        VOTES,
        /** The node may have forgotten locks that it granted, and votes again when that no longer matters. */
        QUARANTINED,
        /** There is no connection to the node, or it has not answered yet; it is tried again in the background. */
        UNREACHABLE,
        /** The node answers, but must not be used as it is configured, such as a replica or a server that evicts keys. */
        REFUSED
    }

    /** A node whose vote counts. */
    public static NodeStatus voting(String name) {
        return new NodeStatus(name, State.VOTES, Duration.ZERO, "");
    }

    /** A node that will vote again after this time. */
    public static NodeStatus quarantined(String name, Duration timeLeft) {
        return new NodeStatus(
                name,
                State.QUARANTINED,
                timeLeft,
                "may have forgotten locks, and votes again in " + timeLeft.toSeconds() + " s");
    }

    /** A node that has not been reached for this time. */
    public static NodeStatus unreachable(String name, Duration since, String cause) {
        return new NodeStatus(name, State.UNREACHABLE, since, cause);
    }

    /** A node that must not vote. */
    public static NodeStatus refused(String name, String cause) {
        return new NodeStatus(name, State.REFUSED, Duration.ZERO, cause);
    }

    /** Whether its vote counts. */
    public boolean votes() {
        return state == State.VOTES;
    }
}
