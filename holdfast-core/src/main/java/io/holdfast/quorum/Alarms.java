package io.holdfast.quorum;

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
final class Alarms {

    private final Time time;
    private final Runnable afterwards;
    private final Map<Long, Slot> slots = new HashMap<>();

    /** One place in the order of time, and the first of those who are to be woken then. */
    private static final class Slot {
        private @Nullable Alarm first;
    }

    /** What rings. It is in one slot at most, in the middle of a list, so that it can leave from there at once. */
    abstract static class Alarm {

        private @Nullable Slot slot;
        private @Nullable Alarm before;
        private @Nullable Alarm after;

        /** On a thread that must not be blocked. */
        abstract void ring();
    }

    /**
     * No alarm yet.
     *
     * @param afterwards runs when all alarms that are due together have rung
     */
    Alarms(Time time, Runnable afterwards) {
        this.time = time;
        this.afterwards = afterwards;
    }

    /**
     * Lets it ring after the delay, and not when it was to ring before.
     *
     * @param earlier by how much it may ring earlier, so that it rings together with others; it does not ring before now
     */
    void set(Alarm alarm, Duration delay, Duration earlier) {
        long now = time.now().nanos();
        long due = now + Math.max(0, delay.toNanos());
        long width = Math.max(1, Long.highestOneBit(earlier.toNanos()));
        long at = Math.max(now, due - Math.floorMod(due, width));
        synchronized (this) {
            unlink(alarm);
            link(alarm, slots.computeIfAbsent(at, empty -> slot(at, now)));
        }
    }

    private Slot slot(long at, long now) {
        time.schedule(Duration.ofNanos(at - now), () -> ring(at));
        return new Slot();
    }

    /** Keeps it from ringing. */
    synchronized void cancel(Alarm alarm) {
        unlink(alarm);
    }

    private static void link(Alarm alarm, Slot slot) {
        Alarm first = slot.first;
        alarm.slot = slot;
        alarm.after = first;
        if (first != null) {
            first.before = alarm;
        }
        slot.first = alarm;
    }

    private static void unlink(Alarm alarm) {
        Slot slot = alarm.slot;
        if (slot == null) {
            return;
        }
        Alarm before = alarm.before;
        Alarm after = alarm.after;
        if (before == null) {
            slot.first = after;
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        alarm.slot = null;
        alarm.before = null;
        alarm.after = null;
    }

    private void ring(long at) {
        Slot due;
        synchronized (this) {
            due = slots.remove(at);
        }
        for (Alarm next = takeFrom(due); next != null; next = takeFrom(due)) {
            next.ring();
        }
        afterwards.run();
    }

    private synchronized @Nullable Alarm takeFrom(@Nullable Slot slot) {
        Alarm first = slot == null ? null : slot.first;
        if (first != null) {
            unlink(first);
        }
        return first;
    }
}
