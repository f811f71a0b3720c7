package io.holdfast.cli.option;

/** The reaction to a lost lock: end the command, or only print a warning. */
public enum OnLost {
    KILL,
    WARN;

    /** Returns the constant for the value on the command line. */
    public static OnLost parse(String text) {
        return switch (text) {
            case "kill" -> KILL;
            case "warn" -> WARN;
            default -> throw new IllegalArgumentException("'" + text + "' is neither kill nor warn");
        };
    }
}
