package io.holdfast.cli.output;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of the terminal of this process.
 *
 * @param lines its height
 * @param columns its width
 */
record TerminalSize(int lines, int columns) {

    private static final TerminalSize UNKNOWN = new TerminalSize(24, 80);
    private static final File TERMINAL = new File("/dev/tty");
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,4}) ([1-9]\\d{0,4})");

    /** Returns the present size; 24 lines of 80 columns if it is unknown. */
    static TerminalSize current() {
        Matcher size = SIZE.matcher(stty("size"));
        return size.matches()
                ? new TerminalSize(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)))
                : UNKNOWN;
    }

    /** Returns the line without what exceeds the width: a longer line would take several rows. */
    String cut(String line) {
        return line.length() <= columns ? line : line.substring(0, columns);
    }

    /** Runs {@code stty} for the terminal of this process and returns its output; empty if that is impossible. */
    static String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process stty = new ProcessBuilder(command)
                    .redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return stty.waitFor() == 0 ? output : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
