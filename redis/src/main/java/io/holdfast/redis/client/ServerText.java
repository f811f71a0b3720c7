package io.holdfast.redis.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text of a server, made fit for a message: one line of bounded length without control characters. */
public final class ServerText {

    private static final int LONGEST = 200;
    /** A pattern of the first word of a script's reply, such as {@code refused}. */
    private static final String KIND = "[a-z]{1,20}";

    private ServerText() {}

    /** Returns the first line of the text, cut after 200 characters, with blanks for control characters. */
    public static String line(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r'; i++) {
            if (i == LONGEST) {
                return line.append("...").toString();
            }
            line.append(Character.isISOControl(text.charAt(i)) ? ' ' : text.charAt(i));
        }
        return line.toString();
    }

    /** Describes a value that a server replied without its content, which may be an owner token. */
    public static String shape(@Nullable Object value) {
        if (value instanceof List<?> list) {
            boolean isKind = !list.isEmpty() && list.get(0) instanceof String first && first.matches(KIND);
            return "a list of " + list.size() + (isKind ? " that begins with '" + list.get(0) + "'" : "");
        } else if (value instanceof String text) {
            return "a text of " + text.length() + " characters";
        }
        return value == null ? "nothing" : line(value.toString());
    }
}
