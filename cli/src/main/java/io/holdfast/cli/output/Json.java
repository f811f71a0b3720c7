package io.holdfast.cli.output;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A JSON writer for the output of commands: one object per line. */
public final class Json {

    /** The value null. */
    public static final Object NULL = new Object();

    private static final char LAST_ASCII = '~';

    private Json() {}

    /** Returns a map of these alternating keys and values, in the same order. */
    public static Map<String, Object> fields(Object... keysAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(keysAndValues[i].toString(), keysAndValues[i + 1]);
        }
        return fields;
    }

    /**
     * Writes a map as an object. Values are numbers, booleans, {@link #NULL}, maps or lists; all others are written as
     * strings. The object consists of ASCII characters, so that it is the same in every locale.
     */
    public static String object(Map<String, ?> fields) {
        return value(fields);
    }

    private static String value(Object value) {
        if (value == NULL) {
            return "null";
        } else if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        } else if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(field -> string(String.valueOf(field.getKey())) + ":" + value(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(Json::value).collect(Collectors.joining(",", "[", "]"));
        }
        return string(value.toString());
    }

    private static String string(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> quoted.append(escaped((char) c)));
        return quoted.append('"').toString();
    }

    private static String escaped(char c) {
        if (c == '"' || c == '\\') {
            return "\\" + c;
        }
        return c < ' ' || c > LAST_ASCII ? String.format("\\u%04x", (int) c) : String.valueOf(c);
    }
}
