package io.holdfast.acquire;

import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time between two attempts of one who waits: it is over after a while, and earlier when a majority of the nodes calls. A
 * call that comes while an attempt is under way counts for the pause after it.
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
     * No pause yet.
     *
     * @param onEnd runs whenever a pause is over, on a thread that must not be blocked
     */
    RetryPause(Time time, int majority, Runnable onEnd) {
        this.time = time;
        this.majority = majority;
        this.onEnd = onEnd;
    }

    /** An attempt begins: what the nodes have said before is of no use after it. */
    synchronized void forgetNotifications() {
        notifiers.clear();
    }

    /** Begins; is over at once if a majority has called meanwhile. */
    void begin(Duration length) {
        boolean called;
        synchronized (this) {
            set(length);
            called = notifiers.size() >= majority;
        }
        if (called) {
            fire();
        }
    }

    /** A node has something to tell. */
    void wake(int node, WakeUp wake) {
        synchronized (this) {
            if (wake.isReserved()) {
                notifiers.add(node);
            }
            if (!wake.isReserved()) {
                // Another client was notified, and this one is next if that one does not respond.
                shortenTo(wake.retryAfter());
                return;
            }
            if (notifiers.size() < majority) {
                return;
            }
        }
        fire();
    }

    /** Ends after this time at the latest, if a pause is under way. */
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

    /** Ends it for good, without a word; returns whether it was under way. */
    synchronized boolean end() {
        Timeout ended = timeout;
        timeout = null;
        if (ended != null) {
            ended.timer().cancel();
        }
        return ended != null;
    }
}
