package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

    /**
     * Fails if the process ran beside the next holder, which wrote its start, in ns of the same clock, into the file
     * {@code started}. Names the longest silence, which may explain it.
     */
    void assertEndedBefore(Path started) throws IOException {
        long next = Long.parseLong(Files.readString(started).strip());
        assertThat(next - last())
                .as(
                        "nanoseconds from the last beat to the start of the next holder; seconds between beats: %s",
                        longestSilenceSeconds())
                .isPositive();
    }

    /** Skips a test in which a process ended too late, if others have waited for long as well. */
    static void assumeNotBusy(boolean isInTime, double longestSilenceSeconds, String measured) {
        assumeTrue(isInTime || longestSilenceSeconds < LONGEST_SILENCE_SECONDS, "The machine is too busy: " + measured);
    }
}
