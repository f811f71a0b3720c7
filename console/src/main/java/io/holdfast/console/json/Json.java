package io.holdfast.console.json;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON writer. The text consists of ASCII characters, so that it is the same in every locale. */
public final class Json {

    /** The value null. */
    public static final Object NULL = new Object();

    private static final char LAST_ASCII = '~';
    private static final int HEX_BITS = 4;
    private static final int LARGEST_DIGIT = 0xf;

    private final StringBuilder text = new StringBuilder();

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
     * Writes a map as an object on one line. Values are numbers, booleans, {@link #NULL}, maps or lists; all others are
     * written as strings.
     */
    public static String object(Map<String, ?> fields) {
        Json json = new Json();
        json.map(fields);
        return json.text.toString();
    }

    private void value(Object value) {
        if (value == NULL) {
            text.append("null");
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else if (value instanceof List<?> list) {
            list(list);
        } else {
            string(value.toString());
        }
    }

    private void map(Map<?, ?> map) {
        text.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> fields = map.entrySet().iterator(); fields.hasNext(); ) {
            Map.Entry<?, ?> field = fields.next();
            string(String.valueOf(field.getKey()));
            text.append(':');
            value(field.getValue());
            separate(fields);
        }
        text.append('}');
    }

    private void list(List<?> list) {
        text.append('[');
        for (Iterator<?> items = list.iterator(); items.hasNext(); ) {
            value(items.next());
            separate(items);
        }
        text.append(']');
    }

    private void separate(Iterator<?> rest) {
        if (rest.hasNext()) {
            text.append(',');
        }
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            character(value.charAt(i));
        }
        text.append('"');
    }

    private void character(char c) {
        if (c == '"' || c == '\\') {
            text.append('\\').append(c);
        } else if (c < ' ' || c > LAST_ASCII) {
            text.append("\\u");
            for (int shift = Character.SIZE - HEX_BITS; shift >= 0; shift -= HEX_BITS) {
                text.append(Character.forDigit(c >> shift & LARGEST_DIGIT, LARGEST_DIGIT + 1));
            }
        } else {
            text.append(c);
        }
    }
}
