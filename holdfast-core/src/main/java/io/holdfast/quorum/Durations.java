package io.holdfast.quorum;

import java.time.Duration;

/** Arithmetic that {@link Duration} lacks. */
final class Durations {

    private Durations() {}

    static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
