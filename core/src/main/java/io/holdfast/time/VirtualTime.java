package io.holdfast.time;

import java.time.Duration;
import java.util.PriorityQueue;

/**
 * Time that moves only when a test advances it. Each task runs on the thread that calls {@link #advance}, in the order
 * of the moments for which they were scheduled; tasks of the same moment run in the order in which they were scheduled.
 *
 * <p>Not thread-safe: one thread must do everything.
 */
public final class VirtualTime implements Time {

    private static final long START_WALL_MICROS = 1_700_000_000_000_000L;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long nanos;
    private long wallOffsetMicros = START_WALL_MICROS;
    private long scheduled;
    private int cancelled;

    /** Creates a time that begins at a fixed moment in 2023. */
    public VirtualTime() {}

    @Override
    public Moment now() {
        return new Moment(nanos, wallOffsetMicros + nanos / 1_000);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Task entry = new Task(after(Durations.longer(Duration.ZERO, delay)), scheduled++, task);
        tasks.add(entry);
        return entry;
    }

    /** Drops the cancelled tasks when they are more than half of all, so that they do not slow the others down. */
    private void cancel(Task task) {
        if (task.state == State.WAITS) {
            task.state = State.CANCELLED;
            cancelled++;
        }
        if (cancelled > tasks.size() / 2) {
            tasks.removeIf(other -> other.state == State.CANCELLED);
            cancelled = 0;
        }
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    /**
     * Moves both clocks forward by the duration, and runs the tasks that become due meanwhile. A task may call this
     * method as well: tasks that are due then run within that task, and the clocks never go back.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration duration) {
        requireForward(duration);
        long end = after(duration);
        for (Task next = tasks.peek(); next != null && next.atNanos <= end; next = tasks.peek()) {
            tasks.remove();
            if (next.state == State.CANCELLED) {
                cancelled--;
            } else {
                next.state = State.RUNS;
                nanos = Math.max(nanos, next.atNanos);
                next.action.run();
            }
        }
        nanos = Math.max(nanos, end);
    }

    /** Runs the tasks that are due now; the clocks do not move. */
    public void settle() {
        advance(Duration.ZERO);
    }

    /** Steps only the wall clock, forward or back, as an administrator or a resumed machine does. */
    public void stepWallClock(Duration step) {
        wallOffsetMicros += step.toNanos() / 1_000;
    }

    /**
     * Moves both clocks without running tasks, like a pause of the process; overdue tasks run at the next advance.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void pause(Duration duration) {
        requireForward(duration);
        nanos = after(duration);
    }

    private static void requireForward(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "duration " + duration + " is negative; only stepWallClock moves a clock back");
        }
    }

    /** Returns the moment after the duration; the last possible one, 292 years after the start, if that is earlier. */
    private long after(Duration duration) {
        long at = nanos + duration.toNanos();
        return at < 0 ? Long.MAX_VALUE : at;
    }

    private enum State {
        WAITS,
        CANCELLED,
        /** Marks the task as begun, after which it cannot be cancelled. */
        RUNS
    }

    private final class Task implements Timer, Comparable<Task> {

        private final long atNanos;
        private final long order;
        private final Runnable action;
        private State state = State.WAITS;

        Task(long atNanos, long order, Runnable action) {
            this.atNanos = atNanos;
            this.order = order;
            this.action = action;
        }

        @Override
        public void cancel() {
            VirtualTime.this.cancel(this);
        }

        @Override
        public int compareTo(Task other) {
            return atNanos != other.atNanos ? Long.compare(atNanos, other.atNanos) : Long.compare(order, other.order);
        }
    }
}
