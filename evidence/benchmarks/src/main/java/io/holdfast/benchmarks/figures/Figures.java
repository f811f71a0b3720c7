package io.holdfast.benchmarks.figures;

import java.util.Arrays;

/** Statistics of measured values. */
public final class Figures {

    private Figures() {}

    public static double median(double[] values) {
        return Spread.of(Arrays.stream(values)).median();
    }

    /**
     * Returns the index of the value, among so many in ascending order, that this share of them does not exceed: the
     * nearest rank. With three values, the index of the median is 1.
     */
    public static int rank(double share, int count) {
        return Math.max(0, (int) Math.ceil(share * count) - 1);
    }

    /**
     * Returns Jain's index of fairness: 1 if all shares are equal, 1/n if one has everything (R. Jain et al., "A
     * Quantitative Measure Of Fairness", DEC TR-301, 1984).
     */
    public static double jain(long[] shares) {
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares)
                .mapToDouble(share -> (double) share * share)
                .sum();
        return squares == 0 ? 0 : sum * sum / (shares.length * squares);
    }
}
