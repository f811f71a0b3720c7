package io.holdfast.benchmarks;

import java.util.Arrays;

/** Times that were measured, and how often there was nothing to measure. */
final class Sample {

    private static final double NANOS_PER_MICRO = 1_000;

    private final double[] micros;
    private int count;
    private int failures;

    /** Takes so many. */
    Sample(int size) {
        this.micros = new double[size];
    }

    void add(long nanos) {
        micros[count++] = nanos / NANOS_PER_MICRO;
    }

    void failed() {
        failures++;
    }

    int failures() {
        return failures;
    }

    double median() {
        return percentile(0.5);
    }

    /** The time that this share of them did not exceed, in µs. */
    double percentile(double share) {
        return Figures.percentile(Arrays.copyOf(micros, count), share);
    }
}
