package io.holdfast.hold;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts that share timers: those that are due at about the same time fire together. A timeout may fire
 * earlier than it was set to, by as much as its caller allows, and never later.
 *
 * <p>Thread-safe. A timeout that is set or cancelled while it begins to fire may fire one time too many.
 */
final class SharedTimers {

    /** The time until a timeout that has failed fires again. */
    private static final Duration REPETITION = Duration.ofMillis(100);

    private final Time time;
    private final Runnable afterwards;
    /** The timeouts that fire at one moment, in the order in which they were set. */
    private final Map<Long, Set<Timeout>> slots = new HashMap<>();

    /** An action with a due time. */
    abstract static class Timeout {

        /** The timeouts that fire at the same moment; null: this one is not set. Guarded by the timers. */
        private @Nullable Set<Timeout> slot;

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
            Set<Timeout> slot = slots.computeIfAbsent(at, empty -> slot(at, now));
            // Before it is removed elsewhere: if no memory is left for this, the earlier setting stays.
            slot.add(timeout);
            if (timeout.slot != slot) {
                remove(timeout);
                timeout.slot = slot;
            }
        }
    }

    private Set<Timeout> slot(long at, long now) {
        time.schedule(Duration.ofNanos(at - now), () -> fire(at));
        return new LinkedHashSet<>();
    }

    private static void remove(Timeout timeout) {
        Set<Timeout> slot = timeout.slot;
        if (slot != null) {
            slot.remove(timeout);
            timeout.slot = null;
        }
    }

    /** Cancels the timeout. */
    synchronized void cancel(Timeout timeout) {
        remove(timeout);
    }

    private void fire(long at) {
        Set<Timeout> due;
        synchronized (this) {
            due = slots.remove(at);
        }
        try {
            fireAll(due);
        } finally {
            afterwards.run();
        }
    }

    /** Fires the others also if one fails, since no memory is left for instance. That one fires again. */
    private void fireAll(@Nullable Set<Timeout> due) {
        Throwable failure = null;
        for (Timeout next = takeFrom(due); next != null; next = takeFrom(due)) {
            try {
                next.fire();
            } catch (RuntimeException | Error failed) {
                failure = failed;
                set(next, REPETITION, Duration.ZERO);
            }
        }
        if (failure != null) {
            throw new IllegalStateException("A timer of a lease has failed; it fires again", failure);
        }
    }

    private synchronized @Nullable Timeout takeFrom(@Nullable Set<Timeout> slot) {
        if (slot == null || slot.isEmpty()) {
            return null;
        }
        Timeout first = slot.iterator().next();
        remove(first);
        return first;
    }
}
