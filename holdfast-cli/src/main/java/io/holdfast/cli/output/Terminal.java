package io.holdfast.cli.output;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/** The messages of Holdfast itself, all on stderr: stdout belongs to the child. */
public final class Terminal {

    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private final PrintStream err;
    private boolean verbose;
    private boolean hasProgress;

    public Terminal(PrintStream err) {
        this.err = err;
    }

    /** Hides the log of the library, because the output of the command contains the same information. */
    public void hideLog() {
        LogFinder.setThreshold(Level.OFF);
    }

    /** Prints the log of the library like the messages of the command: warnings, or all messages with {@code -v}. */
    public void showLog(boolean isVerbose) {
        verbose = isVerbose;
        LogFinder.setThreshold(isVerbose ? Level.INFO : Level.WARNING);
    }

    /** Prints a message. */
    public void print(String line) {
        err.println("holdfast: " + line);
    }

    /** Prints a message with {@code -v} only. */
    public void detail(String line) {
        if (verbose) {
            print(line);
        }
    }

    /** Prints a message with {@code -v} or on an interactive terminal only. */
    public void hint(String line) {
        if (verbose || isInteractive()) {
            print(line);
        }
    }

    /** Prints a progress line that replaces the previous one. */
    synchronized void printProgress(String line) {
        err.print(CLEAR_LINE + "holdfast: " + line);
        err.flush();
        hasProgress = true;
    }

    /** Removes the progress line. */
    synchronized void clearProgress() {
        if (hasProgress) {
            err.print(CLEAR_LINE);
            err.flush();
            hasProgress = false;
        }
    }

    /** Returns whether stderr is an interactive terminal. */
    static boolean isInteractive() {
        return isTerminal(STDERR);
    }

    /** Returns whether stdout is an interactive terminal. */
    public static boolean isStdoutInteractive() {
        return isTerminal(STDOUT);
    }

    private static boolean isTerminal(Path stream) {
        try {
            Path device = Files.readSymbolicLink(stream);
            return device.startsWith("/dev/pts") || device.toString().startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException noProc) {
            return false;
        }
    }
}
