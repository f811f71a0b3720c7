package io.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * What a node told an operator, or why it did not.
 *
 * @param value null: it did not
 * @param cause why not, in one line; empty if it did
 */
public record Told<T>(@Nullable T value, String cause) {

    public static <T> Told<T> of(T value) {
        return new Told<>(value, "");
    }

    public static <T> Told<T> nothing(String cause) {
        return new Told<>(null, cause);
    }
}
