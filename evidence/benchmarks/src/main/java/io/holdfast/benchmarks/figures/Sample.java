package io.holdfast.benchmarks.figures;

import java.util.Arrays;

/** Measured durations, and the number of failures. */
public final class Sample {

    private static final double NANOS_PER_MICRO = 1_000;

    private final double[] micros;
    private int count;
    private int failures;

    /** Makes a sample for at most this number of durations. */
    public Sample(int size) {
        this.micros = new double[size];
    }

    public void add(long nanos) {
        micros[count++] = nanos / NANOS_PER_MICRO;
    }

    public void failed() {
        failures++;
    }

    public int failures() {
        return failures;
    }

    public double median() {
        return percentile(0.5);
    }

    /** Returns the duration in µs that the given share of the durations did not exceed. */
    public double percentile(double share) {
        return Figures.percentile(Arrays.copyOf(micros, count), share);
    }
}
