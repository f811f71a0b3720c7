package io.holdfast.hold;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts that share timers: those that are due at about the same time fire together. A timeout may fire
 * earlier than it was set to, by as much as its caller allows, and never later.
 *
 * <p>Thread-safe. A timeout that is set or cancelled while it begins to fire may fire one time too many.
 */
final class SharedTimers {

    private final Time time;
    private final Runnable afterwards;
    private final Map<Long, Slot> slots = new HashMap<>();

    /** The timeouts that fire at one moment: a ring that begins and ends with the slot. Guarded by the timers. */
    private static final class Slot extends Link {}

    /** An action with a due time. It is in the ring of one slot at most, so that it can be removed at once. */
    abstract static class Timeout extends Link {

        /** Runs the action, on a thread that must not be blocked. */
        abstract void fire();
    }

    /**
     * Creates timers without timeouts.
     *
     * @param afterwards runs after all timeouts that are due together have fired
     */
    SharedTimers(Time time, Runnable afterwards) {
        this.time = time;
        this.afterwards = afterwards;
    }

    /**
     * Sets the timeout to fire after the delay, in place of an earlier setting.
     *
     * @param earlier the time by which it may fire early, together with others; it never fires before now
     */
    void set(Timeout timeout, Duration delay, Duration earlier) {
        long now = time.now().nanos();
        long due = now + Math.max(0, delay.toNanos());
        long width = Math.max(1, Long.highestOneBit(earlier.toNanos()));
        long at = Math.max(now, due - Math.floorMod(due, width));
        synchronized (this) {
            timeout.remove();
            timeout.insertAfter(slots.computeIfAbsent(at, empty -> slot(at, now)));
        }
    }

    private Slot slot(long at, long now) {
        time.schedule(Duration.ofNanos(at - now), () -> fire(at));
        return new Slot();
    }

    /** Cancels the timeout. */
    synchronized void cancel(Timeout timeout) {
        timeout.remove();
    }

    private void fire(long at) {
        Slot due;
        synchronized (this) {
            due = slots.remove(at);
        }
        for (Timeout next = takeFrom(due); next != null; next = takeFrom(due)) {
            next.fire();
        }
        afterwards.run();
    }

    private synchronized @Nullable Timeout takeFrom(@Nullable Slot slot) {
        if (slot != null && slot.next() instanceof Timeout first) {
            first.remove();
            return first;
        }
        return null;
    }
}
