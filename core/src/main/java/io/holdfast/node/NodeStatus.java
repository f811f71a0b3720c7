package io.holdfast.node;

import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * The condition of a node: as this client knows it, or as the node has just reported it.
 *
 * @param name as {@link LockNode#name}
 * @param state whether the node's vote counts
 * @param duration the time until a quarantined node votes if a client stays connected, or the time since a node became
 *     unreachable; otherwise zero
 * @param cause the reason in one line, empty for a node that votes
 */
public record NodeStatus(String name, State state, Duration duration, String cause) {

    /** The reasons for which the vote of a node counts or does not. */
    public enum State {
        /** The node is connected and votes. */
        VOTES,
        /** The node may have forgotten locks that it granted, and votes again when that no longer matters. */
        QUARANTINED,
        /** There is no connection to the node, or it has not answered yet; the client retries in the background. */
        UNREACHABLE,
        /**
         * The node answers, but must not be used as it is configured, such as a replica or a server that evicts keys.
         */
        REFUSED,
        /**
         * The set of the node is being changed: the node keeps the leases of this client, and grants it no other ones.
         */
        CLOSED
    }

    /** Returns the status of a node whose vote counts. */
    public static NodeStatus voting(String name) {
        return new NodeStatus(name, State.VOTES, Duration.ZERO, "");
    }

    /** Returns the status of a node that will vote again after this time. */
    public static NodeStatus quarantined(String name, Duration timeLeft) {
        return new NodeStatus(
                name,
                State.QUARANTINED,
                timeLeft,
                "may have forgotten locks, and votes again in " + Durations.toWholeSeconds(timeLeft) + " s");
    }

    /** Returns the status of a node that has not been reached for this time. */
    public static NodeStatus unreachable(String name, Duration since, String cause) {
        return new NodeStatus(name, State.UNREACHABLE, since, cause);
    }

    /**
     * Returns the status of a node whose standing has been unknown for this time, or that an administrator has to
     * correct.
     */
    public static NodeStatus unknown(String name, Duration since, NodeStanding.Unknown standing) {
        return switch (standing.reason()) {
            case TRANSIENT -> unreachable(name, since, standing.cause());
            case LASTING, OTHER_SET -> refused(name, standing.cause());
            case CLOSED_SET -> new NodeStatus(name, State.CLOSED, Duration.ZERO, standing.cause());
        };
    }

    /** Returns the status of a node that must not vote. */
    public static NodeStatus refused(String name, String cause) {
        return new NodeStatus(name, State.REFUSED, Duration.ZERO, cause);
    }

    /** Returns {@code true} if the node's vote counts. */
    public boolean votes() {
        return state == State.VOTES;
    }
}
