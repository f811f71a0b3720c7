package io.holdfast.hold;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Very many timeouts on few timers: timeouts that are due at about the same time fire together. A timeout may fire
 * earlier than it was set to, by as much as its caller allows, and never later.
 *
 * <p>Thread-safe. A timeout that is set or cancelled while it begins to fire may fire one time too many.
 */
final class TimerWheel {

    private final Time time;
    private final Runnable afterwards;
    private final Map<Long, Slot> slots = new HashMap<>();

    /** The timeouts that fire at one moment, as a linked list. */
    private static final class Slot {
        private @Nullable Timeout first;
    }

    /**
     * An action with a due time. It is a node of the linked list of one slot at most, so that it can be removed at
     * once.
     */
    abstract static class Timeout {

        private @Nullable Slot slot;
        private @Nullable Timeout before;
        private @Nullable Timeout after;

        /** Runs the action, on a thread that must not be blocked. */
        abstract void fire();
    }

    /**
     * Creates a wheel without timeouts.
     *
     * @param afterwards runs after all timeouts that are due together have fired
     */
    TimerWheel(Time time, Runnable afterwards) {
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
            unlink(timeout);
            link(timeout, slots.computeIfAbsent(at, empty -> slot(at, now)));
        }
    }

    private Slot slot(long at, long now) {
        time.schedule(Duration.ofNanos(at - now), () -> fire(at));
        return new Slot();
    }

    /** Cancels the timeout. */
    synchronized void cancel(Timeout timeout) {
        unlink(timeout);
    }

    private static void link(Timeout timeout, Slot slot) {
        Timeout first = slot.first;
        timeout.slot = slot;
        timeout.after = first;
        if (first != null) {
            first.before = timeout;
        }
        slot.first = timeout;
    }

    private static void unlink(Timeout timeout) {
        Slot slot = timeout.slot;
        if (slot == null) {
            return;
        }
        Timeout before = timeout.before;
        Timeout after = timeout.after;
        if (before == null) {
            slot.first = after;
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        timeout.slot = null;
        timeout.before = null;
        timeout.after = null;
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
        Timeout first = slot == null ? null : slot.first;
        if (first != null) {
            unlink(first);
        }
        return first;
    }
}
