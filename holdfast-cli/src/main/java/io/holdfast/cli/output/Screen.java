package io.holdfast.cli.output;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A view that replaces the previous one on an interactive terminal, in the terminal's alternate screen, so that the
 * output before it is back afterwards. The key q ends it.
 */
public final class Screen implements AutoCloseable {

    private static final String ALTERNATE = "\u001b[?1049h";
    private static final String NORMAL = "\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final int POLL_MILLIS = 50;

    private final PrintStream out;
    private final String settings;
    private final Thread cleanup = new Thread(this::restore, "holdfast-screen");

    private Screen(PrintStream out, String settings) {
        this.out = out;
        this.settings = settings;
    }

    /** Switches to the alternate screen. A signal that ends the process also switches back. */
    public static Screen open(PrintStream out) {
        String settings = Terminal.isStdinInteractive() ? TerminalSize.stty("-g") : "";
        Screen screen = new Screen(out, settings);
        if (!settings.isEmpty()) {
            TerminalSize.stty("-icanon", "-echo");
        }
        out.print(ALTERNATE);
        Runtime.getRuntime().addShutdownHook(screen.cleanup);
        return screen;
    }

    /** Shows these lines, cut to the size of the terminal. */
    public void show(List<String> lines) {
        TerminalSize size = TerminalSize.current();
        StringBuilder view = new StringBuilder(HOME);
        for (String line : cut(lines, size)) {
            view.append(line).append(CLEAR_LINE).append("\r\n");
        }
        // The last line has no line end, which would scroll the first line away.
        view.setLength(view.length() - "\r\n".length());
        out.print(view + CLEAR_BELOW);
        out.flush();
    }

    static List<String> cut(List<String> lines, TerminalSize size) {
        List<String> fitting = new ArrayList<>(lines);
        if (lines.size() > size.lines()) {
            int shown = Math.max(0, size.lines() - 1);
            fitting = new ArrayList<>(lines.subList(0, shown));
            fitting.add("... and " + (lines.size() - shown) + " more lines");
        }
        return fitting.stream().map(size::cut).toList();
    }

    /** Waits for this time; returns {@code true} as soon as the key q is pressed. */
    public boolean awaitQuit(Duration duration) throws InterruptedException, IOException {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            while (!settings.isEmpty() && System.in.available() > 0) {
                if (System.in.read() == 'q') {
                    return true;
                }
            }
            Thread.sleep(Math.min(POLL_MILLIS, Duration.ofNanos(left).toMillis() + 1));
        }
        return false;
    }

    private void restore() {
        if (!settings.isEmpty()) {
            TerminalSize.stty(settings);
        }
        out.print(NORMAL);
        out.flush();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(cleanup);
        restore();
    }
}
