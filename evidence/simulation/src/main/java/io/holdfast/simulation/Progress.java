package io.holdfast.simulation;

import java.io.PrintStream;

/** Prints the progress of a batch, a line every minute. */
final class Progress {

    private static final long LINE_NANOS = 60_000_000_000L;

    private final PrintStream errors = System.err;
    private final Batch batch;
    private long shownNanos = System.nanoTime();

    Progress(Batch batch) {
        this.batch = batch;
    }

    void show(Score score) {
        long now = System.nanoTime();
        if (now - shownNanos >= LINE_NANOS) {
            shownNanos = now;
            errors.printf("%3.0f %%, %s%n", 100 * share(score), score.summary());
        }
    }

    /** Returns the share of the batch that is done, 0 to 1: of its seeds or of its leases. */
    private double share(Score score) {
        return Math.max((double) score.runs() / batch.seeds(), (double) score.granted() / batch.leases());
    }
}
