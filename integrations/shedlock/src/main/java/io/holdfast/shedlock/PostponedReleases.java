package io.holdfast.shedlock;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The locks of tasks that have ended, whose {@code lockAtLeastFor} lasts longer than the nodes retain a released lock.
 * This process extends them until the nodes can retain the rest.
 *
 * <p>Thread-safe.
 */
final class PostponedReleases {

    private final Duration maxLease;
    private final Set<HeldLock> waiting = new HashSet<>();
    private boolean closed;

    /**
     * Creates an empty set.
     *
     * @param maxLease the longest time for which the nodes retain a released lock
     */
    PostponedReleases(Duration maxLease) {
        this.maxLease = maxLease;
    }

    Duration maxLease() {
        return maxLease;
    }

    /** Releases the lock after the delay, or when this is closed, whichever is first. */
    void add(HeldLock lock, Time time, Duration delay) {
        if (begin(lock)) {
            time.schedule(delay, () -> releaseWaiting(lock));
        } else {
            lock.release();
        }
    }

    private synchronized boolean begin(HeldLock lock) {
        return !closed && waiting.add(lock);
    }

    private void releaseWaiting(HeldLock lock) {
        if (end(lock)) {
            lock.releaseAsync();
        }
    }

    private synchronized boolean end(HeldLock lock) {
        return waiting.remove(lock);
    }

    /** Releases all locks now, and each lock that is added later at once. */
    void close() {
        remaining().forEach(HeldLock::release);
    }

    private synchronized List<HeldLock> remaining() {
        closed = true;
        List<HeldLock> remaining = List.copyOf(waiting);
        waiting.clear();
        return remaining;
    }
}
