package io.holdfast.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
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

    /** Returns what this function makes of the answer, or the same failure. */
    public <R> NodeAnswer<R> map(Function<T, R> function) {
        return value == null ? failed(node, error) : of(node, function.apply(value));
    }

    /** Returns the answers that are there, in order. */
    public static <T> List<T> present(List<NodeAnswer<T>> nodes) {
        return nodes.stream()
                .flatMap(node -> Optional.ofNullable(node.value()).stream())
                .toList();
    }

    /** Returns the nodes that have not answered, each with the reason, for a message. */
    public static String causes(List<? extends NodeAnswer<?>> nodes) {
        return nodes.stream()
                .filter(node -> !node.isPresent())
                .map(node -> node.node() + ": " + node.error())
                .collect(Collectors.joining("; "));
    }

    /** Returns {@code true} if the node has answered. */
    public boolean isPresent() {
        return value != null;
    }
}
