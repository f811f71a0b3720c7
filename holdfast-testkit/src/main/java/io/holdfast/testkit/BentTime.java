package io.holdfast.testkit;

import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;

/** The real time, but what is scheduled comes sooner, or the wall clock is wrong. */
public final class BentTime implements Time, AutoCloseable {

    private final SystemTime real = new SystemTime();
    private final int factor;
    private final Duration ahead;

    private BentTime(int factor, Duration ahead) {
        this.factor = factor;
        this.ahead = ahead;
    }

    /** What is scheduled comes that many times sooner. */
    public static BentTime fast(int factor) {
        return new BentTime(factor, Duration.ZERO);
    }

    /** The wall clock is wrong by so much. */
    public static BentTime ahead(Duration ahead) {
        return new BentTime(1, ahead);
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
