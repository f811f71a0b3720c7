package io.holdfast.spring;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The text of a value in the name of a lock, which has to be the same in all processes for equal values. */
final class LockNameValue {

    private LockNameValue() {}

    /**
     * Returns the content of an array, a collection, a map or an {@code Optional}, and the text of any other value.
     *
     * @throws IllegalArgumentException if the class of a value has no text of its own, but that of {@link Object#toString}
     */
    static String text(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(LockNameValue::text).orElse("");
        } else if (value instanceof Map<?, ?> map) {
            return list(map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                    .sorted());
        } else if (value instanceof Set<?> set) {
            // The order of a set differs between processes.
            return list(set.stream().map(LockNameValue::text).sorted());
        } else if (value instanceof Collection<?> collection) {
            return list(collection.stream().map(LockNameValue::text));
        } else if (ObjectUtils.isArray(value)) {
            return list(Stream.of(ObjectUtils.toObjectArray(value)).map(LockNameValue::text));
        }
        return value == null ? "null" : own(value);
    }

    private static String list(Stream<String> texts) {
        return texts.collect(Collectors.joining(", ", "[", "]"));
    }

    private static String own(Object value) {
        if (!hasText(value.getClass())) {
            throw new IllegalArgumentException(
                    "a " + value.getClass().getName() + ", which has no toString of its own");
        }
        return value.toString();
    }

    private static boolean hasText(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }
}
