package io.holdfast.cli.option;

import java.util.Locale;

/** The reaction to a lost lock: end the command, or only print a warning. */
public enum OnLost {
    KILL,
    WARN;

    /** Returns the constant for the value on the command line. */
    public static OnLost parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
