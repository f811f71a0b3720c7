package io.holdfast.hold;

import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.WhileUsed;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A detector of suspended machines: it notices that the wall clock has run ahead of the monotonic clock. The monotonic
 * clock stops while a machine is suspended, and with it all timers, which are late by that time.
 *
 * <p>Uses one timer four times a second, and none while the client holds no lock. Thread-safe.
 */
final class ClockWatch {

    static final Duration INTERVAL = Duration.ofMillis(250);

    /** Ignores the time between the readings of the two clocks, and clocks that are slewed. */
    private static final Duration TOLERANCE = Duration.ofMillis(20);

    private final Time time;
    private final Consumer<Duration> onSuspended;
    private final WhileUsed ticks;
    /** The wall clock minus the monotonic clock, in microseconds. Only one tick at a time changes it. */
    private volatile long offset;

    /**
     * Creates a detector that does not run yet.
     *
     * @param needed returns {@code false} if the detector may stop
     * @param onSuspended receives the time for which the machine was suspended, on a thread that must not be blocked
     */
    ClockWatch(Time time, BooleanSupplier needed, Consumer<Duration> onSuspended) {
        this.time = time;
        this.onSuspended = onSuspended;
        this.ticks = new WhileUsed(time, INTERVAL, INTERVAL, needed, this::tick);
    }

    /** Starts the detector unless it runs; it stops by itself when it is no longer needed. Never throws. */
    void start() {
        ticks.begin(() -> offset = offset());
    }

    private void tick() {
        long now = offset();
        Duration jump = Duration.ofNanos((now - offset) * 1_000);
        if (jump.isNegative()) {
            offset = now;
        } else if (jump.compareTo(TOLERANCE) > 0) {
            offset = now;
            onSuspended.accept(jump);
        }
    }

    private long offset() {
        Moment now = time.now();
        return now.wallMicros() - now.nanos() / 1_000;
    }
}
