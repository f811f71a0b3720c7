package io.holdfast.acquire;

import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pause between two attempts of a waiter. It ends after its length, or earlier when a majority of the nodes has
 * notified the waiter. A notification that arrives during an attempt counts for the pause after it.
 *
 * <p>Thread-safe.
 */
final class RetryPause {

    private final Time time;
    private final int majority;
    private final Runnable onEnd;
    private final Set<Integer> notifiers = new HashSet<>();
    private @Nullable Timeout timeout;

    private record Timeout(Moment from, Duration length, Time.Timer timer) {

        Duration left(Moment now) {
            return length.minus(now.surelySince(from));
        }
    }

    /**
     * Creates an object whose first pause has not begun.
     *
     * @param onEnd runs at the end of each pause, on a thread that must not be blocked
     */
    RetryPause(Time time, int majority, Runnable onEnd) {
        this.time = time;
        this.majority = majority;
        this.onEnd = onEnd;
    }

    /** Discards earlier notifications at the beginning of an attempt. */
    synchronized void forgetNotifications() {
        notifiers.clear();
    }

    /** Begins a pause; it ends at once if a majority has notified the waiter meanwhile. */
    void begin(Duration length) {
        boolean notified;
        synchronized (this) {
            set(length);
            notified = notifiers.size() >= majority;
        }
        if (notified) {
            fire();
        }
    }

    /** Receives a notification of a node. */
    void wake(int node, WakeUp wake) {
        synchronized (this) {
            if (!wake.isReserved()) {
                // Another client was notified, and this one is next if that client does not claim the lock.
                shortenTo(wake.retryAfter());
                return;
            }
            notifiers.add(node);
            if (notifiers.size() < majority) {
                return;
            }
        }
        fire();
    }

    /** Ends the present pause after this time at the latest; has no effect between pauses. */
    synchronized void shortenTo(Duration length) {
        Timeout now = timeout;
        if (now != null && length.compareTo(now.left(time.now())) < 0) {
            now.timer().cancel();
            set(length);
        }
    }

    private void set(Duration length) {
        timeout = new Timeout(time.now(), length, time.schedule(length, this::fire));
    }

    private void fire() {
        if (end()) {
            onEnd.run();
        }
    }

    /** Ends the present pause without running the action; returns {@code true} if there was one. */
    synchronized boolean end() {
        Timeout ended = timeout;
        timeout = null;
        if (ended != null) {
            ended.timer().cancel();
        }
        return ended != null;
    }
}
