package io.holdfast.time;

import java.time.Duration;

/**
 * Where time comes from, and the only way in which anything happens later or elsewhere.
 *
 * <p>{@link SystemTime} is the real one; {@link VirtualTime} moves only when told to. Implementations are thread-safe.
 */
public interface Time {

    /** One reading of both clocks. */
    Moment now();

    /** Runs the task once, on a thread of this {@code Time}, after the delay; a delay of zero or less means at once. */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs the task soon, where it may take its time: user callbacks go here, never on the timer's thread or on a
     * client's event loop.
     */
    void execute(Runnable task);

    /** A task that waits for its moment. */
    interface Timer {

        /** Keeps the task from running if it has not begun; otherwise has no effect. */
        void cancel();
    }
}
