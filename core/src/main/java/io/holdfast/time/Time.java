package io.holdfast.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of time, of timers and of threads for the library.
 *
 * <p>{@link SystemTime} is the time of this machine; {@link VirtualTime} moves only when a test advances it.
 * Implementations are thread-safe, unless they say otherwise. Actions of a thread before it schedules a task <i>happen
 * before</i> the task runs.
 */
public interface Time {

    /** Returns one reading of both clocks. */
    Moment now();

    /**
     * Returns a reading of the clock that all processes of this machine share; null, as by default, if there is none.
     * May take some microseconds.
     */
    default @Nullable MachineReading machineReading() {
        return null;
    }

    /**
     * Runs the task once after the delay, on a thread of this {@code Time} that the task must not block.
     *
     * @param delay zero or less: as soon as possible
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs the task again and again until it returns {@code false}, as {@link #schedule} runs it once. A run that
     * throws is followed by the next one.
     *
     * @param interval the time until the first run, and after the end of each run until the next one
     */
    default void repeat(Duration interval, BooleanSupplier task) {
        schedule(interval, () -> {
            boolean goesOn = true;
            try {
                goesOn = task.getAsBoolean();
            } finally {
                if (goesOn) {
                    repeat(interval, task);
                }
            }
        });
    }

    /**
     * Runs the task as soon as possible on a thread that it may block. User callbacks run here, never on the timer's
     * thread or on the event loop of a Redis client.
     */
    void execute(Runnable task);

    /**
     * Blocks the calling thread until the future is complete, however it completes. The default parks the thread, in
     * the time of this machine; a simulation lets its world go on meanwhile.
     *
     * @param limit the longest wait; {@link Durations#FOREVER} or more: without limit
     * @return {@code false} if the limit was over before
     * @throws InterruptedException if the thread is interrupted and the future is not complete
     */
    default boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException {
        return ThreadWait.park(future, limit);
    }

    /** A scheduled task. */
    interface Timer {

        /** Cancels the task if it has not begun to run; otherwise has no effect. */
        void cancel();
    }
}
