package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The times, in ns of one clock, that a command has written into the file {@code alive} until it was ended, and the
 * time at which the next holder wrote into the file {@code started}.
 */
record SignsOfLife(List<Long> alive, long started) {

    static SignsOfLife in(Path directory) throws IOException {
        return new SignsOfLife(
                Files.readAllLines(directory.resolve("alive")).stream()
                        .map(Long::valueOf)
                        .toList(),
                Long.parseLong(Files.readString(directory.resolve("started")).strip()));
    }

    /**
     * Fails if the command ran beside the next holder. Names the longest pause of the machine, which may explain it.
     */
    void assertEndedBeforeTheNextStarted() {
        assertThat(Duration.ofNanos(started - alive.get(alive.size() - 1)))
                .as("time from the last sign of the first command to the start of the next; longest pause: %s", pause())
                .isPositive();
    }

    private Duration pause() {
        return Duration.ofNanos(LongStream.range(1, alive.size())
                .map(i -> alive.get((int) i) - alive.get((int) i - 1))
                .max()
                .orElse(0));
    }
}
