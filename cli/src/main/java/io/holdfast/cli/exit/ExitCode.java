package io.holdfast.cli.exit;

/** The exit codes of Holdfast itself; {@code run} returns all others from the child. */
public final class ExitCode {

    public static final int OK = 0;
    /** A wrong option or argument (EX_USAGE of sysexits.h). */
    public static final int USAGE = 64;
    /** Too few nodes answer (EX_UNAVAILABLE). */
    public static final int NO_QUORUM = 69;
    /** Another client holds the lock (EX_TEMPFAIL); {@code -E} replaces this code. */
    public static final int NOT_ACQUIRED = 75;
    /** The lock was lost while the child ran. */
    public static final int LOST = 76;
    /** The command ran for as long as {@code --timeout} allows; timeout(1) uses the same code. */
    public static final int TIMEOUT = 124;
    /** Holdfast itself failed. */
    public static final int INTERNAL = 125;
    /** The command cannot be executed; shells use the same code. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found; shells use the same code. */
    public static final int NOT_FOUND = 127;
    /** The base to which the number of the signal is added that ended the wait or the child. */
    public static final int SIGNAL = 128;

    private static final int GREATEST = 255;

    private ExitCode() {}

    /**
     * Parses the exit code that a user prefers to one of the constants.
     *
     * @throws IllegalArgumentException if the text is not an exit code
     */
    public static int parse(String text) {
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > GREATEST) {
            throw new IllegalArgumentException("'" + text + "' is not an exit code; use one from 0 to 255");
        }
        return Integer.parseInt(text);
    }

    /** Returns whether the code says that the command line or Holdfast itself is at fault, and no server or lock. */
    public static boolean isFault(int code) {
        return code == USAGE || code == INTERNAL || code == NOT_EXECUTABLE || code == NOT_FOUND;
    }
}
