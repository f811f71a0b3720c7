package io.holdfast.spring.use;

import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;

/** The time for which a lock has to be kept, which is the longest that any of its uses asks for. Thread-safe. */
final class Retention {

    private static final Duration LATENCY = Duration.ofSeconds(1);
    private static final int PART_OF_DRIFT = 10;

    private final Time time;
    private final Moment start;
    private Duration sinceStart = Duration.ZERO;

    /** Begins now. */
    Retention(Time time) {
        this.time = time;
        this.start = time.now();
    }

    /** Extends the time to this long from now; never shortens it. */
    synchronized void extend(Duration atLeast) {
        sinceStart = Durations.longer(sinceStart, time.now().since(start).plus(atLeast));
    }

    /**
     * Returns {@code true} while a node may not be at the end of the time: it learns of the rest later, and has another
     * clock.
     */
    synchronized boolean mayLast() {
        Duration late = LATENCY.plus(Durations.part(sinceStart, PART_OF_DRIFT));
        return time.now().since(start).compareTo(sinceStart.plus(late)) <= 0;
    }

    /** Returns the rest of the time from now, or zero. */
    synchronized Duration rest() {
        return Durations.longer(Duration.ZERO, sinceStart.minus(time.now().since(start)));
    }
}
