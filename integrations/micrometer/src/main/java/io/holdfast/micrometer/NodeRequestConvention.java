package io.holdfast.micrometer;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;

/**
 * The name and the tags of the timer of requests to nodes. Each tag must have few values. Implementations are
 * thread-safe and always return the same tags for the same node and action, and for replies of one class.
 */
public interface NodeRequestConvention {

    /** {@code holdfast.node.requests} with the tags {@code node}, {@code action} and {@code reply}. */
    NodeRequestConvention DEFAULT = new NodeRequestConvention() {
        @Override
        public String name() {
            return "holdfast.node.requests";
        }

        @Override
        public Tags tags(String node, Claim.Action action, Reply reply) {
            return Tags.of(
                    "node",
                    NodeMeters.place(node),
                    "action",
                    action.name().toLowerCase(Locale.ROOT),
                    "reply",
                    kindOf(reply));
        }
    };

    /**
     * {@code db.client.operation.duration} of OpenTelemetry's semantic conventions, with {@code db.system.name}, {@code
     * db.operation.name}, {@code db.response.status_code}, {@code server.address} and {@code server.port}.
     */
    NodeRequestConvention OPEN_TELEMETRY = new OpenTelemetryConvention();

    /** Returns the name of the timer. */
    String name();

    /**
     * Returns the tags of all requests of one kind. Called for the first request of a node with this action and a reply
     * of this class; later ones have the same tags, so only the class of the reply may count.
     *
     * @param node the name of the node, in general an address with its scheme
     * @param action the operation that was requested
     * @param reply the first reply of its class
     */
    Tags tags(String node, Claim.Action action, Reply reply);

    /** Returns the kind of a reply in one word: granted, refused, stale, ahead, quarantined or failed. */
    static String kindOf(Reply reply) {
        return reply.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
