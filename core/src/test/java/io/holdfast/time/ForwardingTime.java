package io.holdfast.time;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A time that does what another one does, except for the methods that a test overrides. */
public abstract class ForwardingTime implements Time {

    private final Time other;

    /** Creates a time that forwards to the other one. */
    protected ForwardingTime(Time other) {
        this.other = other;
    }

    @Override
    public Moment now() {
        return other.now();
    }

    @Override
    public @Nullable MachineReading machineReading() {
        return other.machineReading();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return other.schedule(delay, task);
    }

    @Override
    public void repeat(Duration interval, BooleanSupplier task) {
        other.repeat(interval, task);
    }

    @Override
    public void execute(Runnable task) {
        other.execute(task);
    }
}
