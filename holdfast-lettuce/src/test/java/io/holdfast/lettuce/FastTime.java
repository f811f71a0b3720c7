package io.holdfast.lettuce;

import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;

/** The real time, but what is scheduled comes that many times sooner. */
final class FastTime implements Time, AutoCloseable {

    private final SystemTime real = new SystemTime();
    private final int factor;

    FastTime(int factor) {
        this.factor = factor;
    }

    @Override
    public Moment now() {
        return real.now();
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
