package io.holdfast.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Repeats a task as long as something is used, with one timer, and none after that. A task that throws is repeated all
 * the same.
 *
 * <p>Thread-safe.
 */
public final class WhileUsed {

    private final Time time;
    private final Duration first;
    private final Duration interval;
    private final BooleanSupplier used;
    private final Runnable task;
    private final AtomicBoolean repeats = new AtomicBoolean();

    /**
     * Creates a repetition that has not begun.
     *
     * @param first the time until the task runs first
     * @param interval the time between its runs after that
     * @param used returns {@code false} if the repetition may end
     * @param task runs on the timer's thread, which must not be blocked; one run at a time
     */
    public WhileUsed(Time time, Duration first, Duration interval, BooleanSupplier used, Runnable task) {
        this.time = time;
        this.first = first;
        this.interval = interval;
        this.used = used;
        this.task = task;
    }

    /** Begins unless the task is repeated already, as {@link #begin(Runnable)} does. */
    public void begin() {
        begin(() -> {});
    }

    /**
     * Begins unless the task is repeated already. The caller has made {@code used} true before: a use that is added
     * after this call may find that the repetition has just ended. Never throws, because what is used must not fail for
     * this; if no timer can be set, the next call tries again.
     *
     * @param preparation runs before the timer is set, if this call begins the repetition
     */
    public void begin(Runnable preparation) {
        if (!repeats.get() && repeats.compareAndSet(false, true)) {
            try {
                preparation.run();
                time.schedule(first, this::repeat);
            } catch (RuntimeException | Error notBegun) {
                repeats.set(false);
            }
        }
    }

    private void repeat() {
        if (used.getAsBoolean()) {
            // The next timer is set first, because the task may fail.
            try {
                time.schedule(interval, this::repeat);
            } catch (RuntimeException | Error notScheduled) {
                repeats.set(false);
            }
            task.run();
            return;
        }
        repeats.set(false);
        if (used.getAsBoolean()) {
            begin();
        }
    }
}
