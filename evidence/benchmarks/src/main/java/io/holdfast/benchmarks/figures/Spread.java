package io.holdfast.benchmarks.figures;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Measured values of one kind. Immutable. */
public final class Spread {

    private final double[] sorted;

    private Spread(double[] sorted) {
        this.sorted = sorted;
    }

    public static Spread of(DoubleStream values) {
        return new Spread(values.sorted().toArray());
    }

    /** Returns the same values in a unit of which one of theirs has so many. */
    public Spread times(double units) {
        return of(stream().map(value -> value * units));
    }

    public int count() {
        return sorted.length;
    }

    public double median() {
        return at(0.5);
    }

    /** Returns the value that this share of all values did not exceed; 1 for the greatest. There is at least one. */
    public double at(double share) {
        return sorted[Figures.rank(share, sorted.length)];
    }

    /** Returns all values, the smallest first. */
    public DoubleStream stream() {
        return Arrays.stream(sorted);
    }
}
