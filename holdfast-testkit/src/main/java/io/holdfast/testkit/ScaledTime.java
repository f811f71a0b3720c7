package io.holdfast.testkit;

import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;

/** The system time with faster timers or a wrong wall clock. */
public final class ScaledTime implements Time, AutoCloseable {

    private final SystemTime real = new SystemTime();
    private final int factor;
    private final Duration offset;

    private ScaledTime(int factor, Duration offset) {
        this.factor = factor;
        this.offset = offset;
    }

    /** Returns a time whose timers fire sooner by the given factor. */
    public static ScaledTime fast(int factor) {
        return new ScaledTime(factor, Duration.ZERO);
    }

    /** Returns a time whose wall clock is wrong by the given offset. */
    public static ScaledTime ahead(Duration offset) {
        return new ScaledTime(1, offset);
    }

    @Override
    public Moment now() {
        Moment now = real.now();
        return new Moment(now.nanos(), now.wallMicros() + offset.toMillis() * 1_000);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return real.schedule(delay.dividedBy(factor), task);
    }

    @Override
    public void execute(Runnable task) {
        real.execute(task);
    }

    @Override
    public void close() {
        real.close();
    }
}
