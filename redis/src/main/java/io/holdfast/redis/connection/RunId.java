package io.holdfast.redis.connection;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The process of a server, as a claim names it: a run id from {@code INFO}, or {@link #DURABLE}.
 *
 * @param onWire the argument of a script: an empty string if the node is declared durable, and otherwise never
 */
public record RunId(String onWire) {

    /** A node that is declared durable: whichever process it is, it votes. Only this one is empty on the wire. */
    public static final RunId DURABLE = new RunId("");

    /** The form of the ids in {@code INFO}. Some services reply with zeros alone, whichever process replies. */
    private static final Pattern ID = Pattern.compile("(?!0{40})[0-9a-fA-F]{40}");

    /** Returns the id in a field of {@code INFO}, or empty if the field contains none. */
    static Optional<RunId> of(String field) {
        return ID.matcher(field).matches() ? Optional.of(new RunId(field)) : Optional.empty();
    }

    @Override
    public String toString() {
        return onWire;
    }
}
