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
    /** Holdfast itself failed. */
    public static final int INTERNAL = 125;
    /** The command cannot be executed; shells use the same code. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found; shells use the same code. */
    public static final int NOT_FOUND = 127;
    /** The base to which the number of the signal is added that ended the wait or the child. */
    public static final int SIGNAL = 128;

    private ExitCode() {}
}
