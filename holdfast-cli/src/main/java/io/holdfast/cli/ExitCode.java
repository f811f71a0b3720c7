package io.holdfast.cli;

/** What the command's exit codes mean; the others are the child's own. */
public final class ExitCode {

    public static final int OK = 0;
    /** A wrong option or argument (EX_USAGE of sysexits.h). */
    public static final int USAGE = 64;
    /** Too few nodes answer (EX_UNAVAILABLE). */
    public static final int NO_QUORUM = 69;
    /** The lock is held by another (EX_TEMPFAIL); {@code -E} replaces it. */
    public static final int NOT_ACQUIRED = 75;
    /** The lock was lost while the child ran. */
    public static final int LOST = 76;
    /** Holdfast itself failed. */
    public static final int INTERNAL = 125;
    /** The command cannot be executed, as shells say it. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found, as shells say it. */
    public static final int NOT_FOUND = 127;
    /** Added to the number of the signal that ended the wait or the child. */
    public static final int SIGNAL = 128;

    private ExitCode() {}
}
