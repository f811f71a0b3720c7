package io.holdfast.locks;

import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * The delays after failures: 100 ms after the first one in a row, doubled after each further one up to 6.4 s.
 * Thread-safe.
 */
final class GrowingDelay {

    static final Duration FIRST = Duration.ofMillis(100);
    private static final int MAX_DOUBLINGS = 6;

    private int failures;

    synchronized void succeeded() {
        failures = 0;
    }

    /** Returns the delay after a further failure. */
    synchronized Duration afterFailure() {
        Duration delay = Durations.times(FIRST, 1 << failures);
        failures = Math.min(failures + 1, MAX_DOUBLINGS);
        return delay;
    }
}
