package io.holdfast.benchmarks;

import java.util.Arrays;

/** Statistics of measured values. */
final class Figures {

    private Figures() {}

    static double median(double[] values) {
        return percentile(values, 0.5);
    }

    static double percentile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
    }

    /**
     * Returns Jain's index of fairness: 1 if all shares are equal, 1/n if one has everything (R. Jain et al., "A
     * Quantitative Measure Of Fairness", DEC TR-301, 1984).
     */
    static double jain(long[] shares) {
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares)
                .mapToDouble(share -> (double) share * share)
                .sum();
        return squares == 0 ? 0 : sum * sum / (shares.length * squares);
    }
}
