package io.holdfast.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A progress bar on the terminal, if there is one. */
final class Progress {

    private static final int WIDTH = 40;
    private static final long INTERVAL_NANOS = 200_000_000;

    private final PrintStream terminal = System.err;
    private final boolean visible = isTerminal();
    private final long all;
    private long shownNanos = System.nanoTime();

    Progress(long all) {
        this.all = all;
    }

    /** Returns whether stderr is a terminal. From JDK 22 on, {@code System.console()} does not show that. */
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    void show(long done, long granted) {
        long now = System.nanoTime();
        if (!visible || now - shownNanos < INTERVAL_NANOS) {
            return;
        }
        shownNanos = now;
        int filled = (int) (WIDTH * done / Math.max(1, all));
        terminal.print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + done + " of " + all + " seeds, "
                + granted + " leases");
    }

    void clear() {
        if (visible) {
            terminal.print("\r\u001b[K");
        }
    }
}
