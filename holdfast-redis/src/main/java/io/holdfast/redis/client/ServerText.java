package io.holdfast.redis.client;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text of a server, made fit for a message: one line of bounded length without control characters. */
public final class ServerText {

    private static final int LONGEST = 200;
    /** The first word of a reply of a script, such as {@code refused}. */
    private static final Pattern KIND = Pattern.compile("[a-z]{1,20}");

    private ServerText() {}

    /** Returns the first line of the text, cut after 200 characters, with blanks for control characters. */
    public static String line(String text) {
        String start = text.substring(0, Math.min(text.length(), LONGEST + 1));
        String line = start.lines().findFirst().orElse("").replaceAll("[\\p{Cntrl}\\x80-\\x9f]", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    }

    /** Describes a value that a server replied without its content, which may be an owner token. */
    public static String shape(@Nullable Object value) {
        if (value instanceof List<?> list) {
            boolean isKind = !list.isEmpty()
                    && list.get(0) instanceof String first
                    && KIND.matcher(first).matches();
            return "a list of " + list.size() + (isKind ? " that begins with '" + list.get(0) + "'" : "");
        } else if (value instanceof String text) {
            return "a text of " + text.length() + " characters";
        }
        return value == null ? "nothing" : line(value.toString());
    }
}
