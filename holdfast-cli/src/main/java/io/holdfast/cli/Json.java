package io.holdfast.cli;

import java.util.Map;
import java.util.stream.Collectors;

/** One flat object on one line, for programs that read what a command prints. */
final class Json {

    private Json() {}

    /** Numbers and truth values as they are, all else as strings. */
    static String object(Map<String, ?> fields) {
        return fields.entrySet().stream()
                .map(field -> string(field.getKey()) + ":" + value(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(Object value) {
        return value instanceof Number || value instanceof Boolean ? value.toString() : string(value.toString());
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
        return c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c);
    }
}
