package io.holdfast.hold;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Very many alarms on few timers: those that are due at about the same time ring together. An alarm may ring earlier than it was
 * set to, by as much as whoever set it allows, and never later.
 *
 * <p>Thread-safe. An alarm that is set or cancelled while it begins to ring may ring once more than it should.
 */
final class TimerWheel {

    private final Time time;
    private final Runnable afterwards;
    private final Map<Long, Slot> slots = new HashMap<>();

    /** One place in the order of time, and the first of those who are to be woken then. */
    private static final class Slot {
        private @Nullable Timeout first;
    }

    /** What rings. It is in one slot at most, in the middle of a list, so that it can leave from there at once. */
    abstract static class Timeout {

        private @Nullable Slot slot;
        private @Nullable Timeout before;
        private @Nullable Timeout after;

        /** On a thread that must not be blocked. */
        abstract void fire();
    }

    /**
     * No alarm yet.
     *
     * @param afterwards runs when all alarms that are due together have rung
     */
    TimerWheel(Time time, Runnable afterwards) {
        this.time = time;
        this.afterwards = afterwards;
    }

    /**
     * Lets it ring after the delay, and not when it was to ring before.
     *
     * @param earlier by how much it may ring earlier, so that it rings together with others; it does not ring before now
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

    /** Keeps it from ringing. */
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
