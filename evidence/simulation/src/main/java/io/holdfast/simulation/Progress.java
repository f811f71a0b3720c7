package io.holdfast.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The progress of a batch: a bar on the terminal, or a line every minute if there is no terminal. */
final class Progress {

    private static final int WIDTH = 40;
    private static final long BAR_NANOS = 200_000_000;
    private static final long LINE_NANOS = 60_000_000_000L;

    private final PrintStream errors = System.err;
    private final boolean terminal = isTerminal();
    private final Batch batch;
    private long shownNanos = System.nanoTime();

    Progress(Batch batch) {
        this.batch = batch;
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

    void show(Score score) {
        long now = System.nanoTime();
        if (now - shownNanos < (terminal ? BAR_NANOS : LINE_NANOS)) {
            return;
        }
        shownNanos = now;
        if (terminal) {
            int filled = (int) (WIDTH * Math.min(1, share(score)));
            errors.print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + score.summary());
        } else {
            errors.printf("%3.0f %%, %s%n", 100 * share(score), score.summary());
        }
    }

    /** Returns the share of the batch that is done, 0 to 1: of its seeds or of its leases. */
    private double share(Score score) {
        return Math.max((double) score.runs() / batch.seeds(), (double) score.granted() / batch.leases());
    }

    void clear() {
        if (terminal) {
            errors.print("\r\u001b[K");
        }
    }
}
