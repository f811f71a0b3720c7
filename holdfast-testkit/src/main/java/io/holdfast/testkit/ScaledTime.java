package io.holdfast.testkit;

import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;

/** The real time, but what is scheduled comes sooner, or the wall clock is wrong. */
public final class ScaledTime implements Time, AutoCloseable {

    private final SystemTime real = new SystemTime();
    private final int factor;
    private final Duration ahead;

    private ScaledTime(int factor, Duration ahead) {
        this.factor = factor;
        this.ahead = ahead;
    }

    /** What is scheduled comes that many times sooner. */
    public static ScaledTime fast(int factor) {
        return new ScaledTime(factor, Duration.ZERO);
    }

    /** The wall clock is wrong by so much. */
    public static ScaledTime ahead(Duration ahead) {
        return new ScaledTime(1, ahead);
    }

    @Override
    public Moment now() {
        Moment now = real.now();
        return new Moment(now.nanos(), now.wallMicros() + ahead.toMillis() * 1_000);
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
