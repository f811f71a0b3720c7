package io.holdfast.cli.option;

/** What becomes of the command when its lock is lost. */
public enum OnLost {
    KILL,
    WARN;

    /** From the word on the command line. */
    public static OnLost parse(String text) {
        return switch (text) {
            case "kill" -> KILL;
            case "warn" -> WARN;
            default -> throw new IllegalArgumentException("'" + text + "' is neither kill nor warn");
        };
    }
}
