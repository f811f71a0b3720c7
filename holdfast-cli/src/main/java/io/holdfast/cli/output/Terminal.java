package io.holdfast.cli.output;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/** Holdfast's own words, all on stderr: stdout belongs to the child. */
public final class Terminal {

    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private final PrintStream err;
    private boolean verbose;
    private boolean overwriting;

    public Terminal(PrintStream err) {
        this.err = err;
    }

    /** What the library logs is not shown: the command's own output says it. */
    public void quiet() {
        LogFinder.show(Level.OFF);
    }

    /** What the library logs is shown like the command's own words: warnings, or with {@code -v} everything. */
    public void begin(boolean isVerbose) {
        verbose = isVerbose;
        LogFinder.show(isVerbose ? Level.INFO : Level.WARNING);
    }

    /** Always shown. */
    public void print(String line) {
        err.println("holdfast: " + line);
    }

    /** Shown with {@code -v}. */
    public void detail(String line) {
        if (verbose) {
            print(line);
        }
    }

    /** Shown with {@code -v}, and to a person. */
    public void hint(String line) {
        if (verbose || isPerson()) {
            print(line);
        }
    }

    /** One line that replaces the one before, for a person. */
    synchronized void overwrite(String line) {
        err.print(CLEAR_LINE + "holdfast: " + line);
        err.flush();
        overwriting = true;
    }

    /** Leaves nothing of such lines. */
    synchronized void endOverwriting() {
        if (overwriting) {
            err.print(CLEAR_LINE);
            err.flush();
            overwriting = false;
        }
    }

    /** Whether a person looks at stderr. */
    static boolean isPerson() {
        return isTerminal(STDERR);
    }

    /** Whether a person looks at stdout. */
    public static boolean isScreen() {
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
