package io.holdfast.cli;

/** What becomes of the command when its lock is lost. */
enum OnLost {
    KILL,
    WARN;

    /** From the word on the command line. */
    static OnLost parse(String text) {
        return switch (text) {
            case "kill" -> KILL;
            case "warn" -> WARN;
            default -> throw new IllegalArgumentException("'" + text + "' is neither kill nor warn");
        };
    }
}
