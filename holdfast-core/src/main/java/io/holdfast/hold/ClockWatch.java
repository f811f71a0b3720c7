package io.holdfast.hold;

import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Notices that the wall clock has gone ahead of the monotonic clock. The monotonic clock stops while a machine is suspended, and all
 * timers with it, so that they are late by as much.
 *
 * <p>One timer four times a second, and none while there is nothing to watch for. Thread-safe.
 */
final class ClockWatch {

    static final Duration INTERVAL = Duration.ofMillis(250);

    /** What is less is the pause of a thread between its readings of the two clocks, or a clock that is slewed. */
    private static final Duration TOLERANCE = Duration.ofMillis(20);

    private final Time time;
    private final BooleanSupplier needed;
    private final Consumer<Duration> apart;
    private final AtomicBoolean running = new AtomicBoolean();
    /** How far the wall clock is ahead of the monotonic clock, in µs; only one tick is under way at a time. */
    private volatile long offset;

    /**
     * Does not watch yet.
     *
     * @param needed whether there still is something to watch for
     * @param apart receives by how much the clocks have come apart, on a thread that must not be blocked
     */
    ClockWatch(Time time, BooleanSupplier needed, Consumer<Duration> apart) {
        this.time = time;
        this.needed = needed;
        this.apart = apart;
    }

    /** Watches from now on, for as long as it is needed. */
    void start() {
        if (!running.get() && running.compareAndSet(false, true)) {
            offset = offset();
            schedule();
        }
    }

    private void schedule() {
        time.schedule(INTERVAL, this::tick);
    }

    private void tick() {
        if (!needed.getAsBoolean()) {
            running.set(false);
            if (needed.getAsBoolean()) {
                start();
            }
            return;
        }
        schedule();
        long now = offset();
        Duration jump = Duration.ofNanos((now - offset) * 1_000);
        if (jump.isNegative()) {
            offset = now;
        } else if (jump.compareTo(TOLERANCE) > 0) {
            offset = now;
            apart.accept(jump);
        }
    }

    private long offset() {
        Moment now = time.now();
        return now.wallMicros() - now.nanos() / 1_000;
    }
}
