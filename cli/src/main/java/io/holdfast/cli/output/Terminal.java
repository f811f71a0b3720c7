package io.holdfast.cli.output;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages of Holdfast itself, all on stderr: stdout belongs to the child. */
public final class Terminal {

    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private final PrintStream err;
    private boolean verbose;
    private boolean quiet;
    private @Nullable Consumer<String> copy;

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

    /** Hides all messages from now on, but for the complaints. */
    public void silence() {
        quiet = true;
        if (copy == null) {
            hideLog();
        }
    }

    /** Passes each further message to this consumer as well, even if it is hidden here. */
    public void copyTo(Consumer<String> consumer) {
        copy = consumer;
        LogFinder.sendTo(this::print);
    }

    /** Returns the text with blanks for control characters, which names and values from files may contain. */
    public static String printable(String text) {
        char[] characters = text.toCharArray();
        for (int i = 0; i < characters.length; i++) {
            characters[i] = Character.isISOControl(characters[i]) ? ' ' : characters[i];
        }
        return new String(characters);
    }

    /** Returns the text without the users and passwords of addresses, which a wrong value may contain. */
    public static String withoutPasswords(String text) {
        return text.replaceAll("://(?:(?!://)[^\\s'])*@", "://...@");
    }

    /** Prints a message. */
    public void print(String line) {
        if (quiet) {
            copy(line);
        } else {
            complain(line);
        }
    }

    /** Prints a message that {@code -q} does not hide, such as wrong usage. */
    public void complain(String line) {
        copy(line);
        err.println("holdfast: " + withoutPasswords(line));
    }

    private void copy(String line) {
        if (copy != null) {
            copy.accept(withoutPasswords(line));
        }
    }

    /** Prints a message with {@code -v} only. */
    public void detail(String line) {
        if (verbose) {
            print(line);
        }
    }

    /** Prints a message with {@code -v} or on an interactive terminal only. */
    public void hint(String line) {
        if (showsHints()) {
            print(line);
        }
    }

    /** Returns whether messages appear that matter to a person, but not to cron: with {@code -v} or on a terminal. */
    public boolean showsHints() {
        return !quiet && (verbose || isTerminal(STDERR));
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
