package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The times at which a process has shown that it runs, every few hundredths of a second.
 *
 * @param nanos the times in nanoseconds, in ascending order; at least one
 */
record Beats(List<Long> nanos) {

    /**
     * The silence from which on the machine is too busy for a margin of some tenths of a second. The process that ends
     * the others waits for its turn several times, so it is late by a multiple of this.
     */
    private static final double LONGEST_SILENCE_SECONDS = 0.2;

    static Beats in(Path file) throws IOException {
        return new Beats(Files.readAllLines(file).stream().map(Long::valueOf).toList());
    }

    long last() {
        return nanos.get(nanos.size() - 1);
    }

    /** Returns the longest time between two of them. */
    double longestSilenceSeconds() {
        return IntStream.range(1, nanos.size())
                        .mapToLong(i -> nanos.get(i) - nanos.get(i - 1))
                        .max()
                        .orElse(0)
                / 1e9;
    }

    /** Returns {@code true} if a process that ends too late says nothing, since others wait for long as well. */
    static boolean isBusy(double longestSilenceSeconds) {
        return longestSilenceSeconds >= LONGEST_SILENCE_SECONDS;
    }
}
