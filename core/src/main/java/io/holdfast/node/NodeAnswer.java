package io.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * The answer of one node to an administrator's request.
 *
 * @param node the name of the node, as it was given to {@code connect}
 * @param value the answer; null if there is none
 * @param error the reason for a missing answer, in one line; empty if there is an answer
 * @param <T> the type of the answer
 */
public record NodeAnswer<T>(String node, @Nullable T value, String error) {

    /** Returns an answer. */
    public static <T> NodeAnswer<T> of(String node, T value) {
        return new NodeAnswer<>(node, value, "");
    }

    /** Returns the failure of a node to answer. */
    public static <T> NodeAnswer<T> failed(String node, String error) {
        return new NodeAnswer<>(node, null, error);
    }

    /** Returns {@code true} if the node has answered. */
    public boolean isPresent() {
        return value != null;
    }
}
