package io.holdfast.spring.attribute;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/** The text of a value in the name of a lock, which has to be the same in all processes for equal values. */
final class LockNameValue {

    private LockNameValue() {}

    /** Returns the values of a collection or an array of objects, each of which has its own name; else the value. */
    static Stream<@Nullable Object> elements(@Nullable Object value) {
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(Function.identity());
        }
        return value instanceof @Nullable Object[] array ? Stream.of(array) : Stream.of(new @Nullable Object[] {value});
    }

    /**
     * Returns the content of an array, a collection, a map, an {@code Optional} or a record, and the text of any other
     * value. It is empty if a container has no content.
     *
     * @throws IllegalArgumentException if the class of a value has no text of its own, but that of {@link
     *     Object#toString}
     */
    static String text(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(LockNameValue::text).orElse("");
        } else if (value instanceof OptionalInt number) {
            return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
        } else if (value instanceof OptionalLong number) {
            return number.isPresent() ? Long.toString(number.getAsLong()) : "";
        } else if (value instanceof OptionalDouble number) {
            return number.isPresent() ? Double.toString(number.getAsDouble()) : "";
        } else if (value != null && value.getClass() == Date.class) {
            return ofDate((Date) value);
        } else if (value instanceof Map<?, ?> map) {
            return list(map.entrySet().stream().map(LockNameValue::text).sorted());
        } else if (value instanceof Map.Entry<?, ?> entry) {
            return text(entry.getKey()) + "=" + text(entry.getValue());
        } else if (value instanceof Set<?> set) {
            // The order of a set differs between processes.
            return list(set.stream().map(LockNameValue::text).sorted());
        } else if (value instanceof Collection<?> collection) {
            return list(collection.stream().map(LockNameValue::text));
        } else if (ObjectUtils.isArray(value)) {
            return list(Stream.of(ObjectUtils.toObjectArray(value)).map(LockNameValue::text));
        } else if (value instanceof Record values && hasGeneratedText(values.getClass())) {
            return components(values);
        }
        return value == null ? "null" : own(value);
    }

    /** Its own text depends on the time zone of the process. A date of SQL keeps that of its database. */
    @SuppressWarnings("JavaUtilDate") // Users have such values.
    private static String ofDate(Date date) {
        return Instant.ofEpochMilli(date.getTime()).toString();
    }

    private static String list(Stream<String> texts) {
        List<String> all = texts.toList();
        // Brackets around nothing would be a name, which all calls without a value would share.
        return all.stream().allMatch(String::isBlank) ? "" : "[" + String.join(", ", all) + "]";
    }

    /**
     * The compiler's text of a record is final, and shows the identity of an array. A text that the user wrote is kept.
     */
    private static boolean hasGeneratedText(Class<?> type) {
        return Modifier.isFinal(toStringOf(type).getModifiers());
    }

    private static String components(Record values) {
        return Stream.of(values.getClass().getRecordComponents())
                .map(component -> component.getName() + "=" + text(read(component.getAccessor(), values)))
                .collect(Collectors.joining(", ", values.getClass().getSimpleName() + "[", "]"));
    }

    private static @Nullable Object read(Method accessor, Record values) {
        if (!accessor.trySetAccessible()) {
            throw new IllegalArgumentException(
                    "a " + values.getClass().getName() + ", whose module does not open it to Holdfast");
        }
        return ReflectionUtils.invokeMethod(accessor, values);
    }

    private static String own(Object value) {
        if (!hasText(value.getClass())) {
            throw new IllegalArgumentException(
                    "a " + value.getClass().getName() + ", which has no toString of its own");
        }
        return value.toString();
    }

    private static boolean hasText(Class<?> type) {
        return toStringOf(type).getDeclaringClass() != Object.class;
    }

    private static Method toStringOf(Class<?> type) {
        try {
            return type.getMethod("toString");
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }
}
