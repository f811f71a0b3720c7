package io.holdfast.testkit;

import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** The system time with faster or slower timers, or with a wrong wall clock. */
public final class ScaledTime implements Time, AutoCloseable {

    private final SystemTime real = new SystemTime();
    private final UnaryOperator<Duration> delays;
    private final Duration offset;

    private ScaledTime(UnaryOperator<Duration> delays, Duration offset) {
        this.delays = delays;
        this.offset = offset;
    }

    /** Returns a time whose timers fire sooner by the given factor. */
    public static ScaledTime fast(int factor) {
        return new ScaledTime(delay -> delay.dividedBy(factor), Duration.ZERO);
    }

    /** Returns a time whose timers fire later by the given factor, for a node that is silent for longer than usual. */
    public static ScaledTime slow(int factor) {
        return new ScaledTime(delay -> Durations.times(delay, factor), Duration.ZERO);
    }

    /** Returns a time whose wall clock is wrong by the given offset. */
    public static ScaledTime ahead(Duration offset) {
        return new ScaledTime(delay -> delay, offset);
    }

    @Override
    public Moment now() {
        Moment now = real.now();
        return new Moment(now.nanos(), now.wallMicros() + offset.toMillis() * 1_000);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return real.schedule(delays.apply(delay), task);
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
