package io.holdfast.console.json;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a JSON object whose values are strings, as a page sends it. Anything else is malformed. */
public final class JsonTexts {

    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private final String text;
    private int at;

    private JsonTexts(String text) {
        this.text = text;
    }

    /**
     * Returns the fields of an object.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Map<String, String> parse(String text) {
        JsonTexts reader = new JsonTexts(text);
        Map<String, String> fields = reader.object();
        if (reader.peek() != 0) {
            throw reader.malformed();
        }
        return fields;
    }

    private Map<String, String> object() {
        Map<String, String> fields = new LinkedHashMap<>();
        expect('{');
        if (peek() == '}') {
            at++;
            return fields;
        }
        do {
            String name = string();
            expect(':');
            fields.put(name, string());
        } while (isNext(','));
        expect('}');
        return fields;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            value.append(c == '\\' ? escaped(next()) : c);
        }
        return value.toString();
    }

    private char escaped(char c) {
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw malformed();
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = Character.digit(next(), HEX);
            if (digit < 0) {
                throw malformed();
            }
            code = code * HEX + digit;
        }
        return (char) code;
    }

    private boolean isNext(char wanted) {
        boolean isNext = peek() == wanted;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void expect(char wanted) {
        if (!isNext(wanted)) {
            throw malformed();
        }
    }

    /** Skips blanks, and returns the next character; 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char next() {
        if (at == text.length()) {
            throw malformed();
        }
        return text.charAt(at++);
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "the body is no JSON object of strings; see character " + (at + 1) + " of " + text.length());
    }
}
