package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.WakeUp;
import io.holdfast.quorum.NodeSets;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The pause between two rounds of a waiter. It ends after its length, or earlier when a majority of the nodes has
 * notified the waiter. A notification that arrives during an attempt counts for the pause after it.
 *
 * <p>Thread-safe.
 */
final class RetryPause {

    /** The time until an action that has failed, such as for lack of memory, runs again. */
    private static final Duration REPETITION = Duration.ofMillis(100);

    private final Time time;
    private final LongPredicate isEnough;
    private final Runnable attempt;
    private long notifiers;
    private @Nullable Timeout timeout;
    /** The end of the next pause, as a node has announced it during the present attempt; null: none has. */
    private @Nullable End announced;

    private record End(Moment from, Duration length) {

        Duration left(Moment now) {
            return length.minus(now.surelySince(from));
        }
    }

    private record Timeout(End end, Time.Timer timer, Runnable next) {}

    /**
     * Creates an object whose first pause has not begun.
     *
     * @param isEnough tests whether these nodes are enough for an attempt that may succeed
     * @param attempt runs at the end of each pause unless another action is given, on a thread that must not be blocked
     */
    RetryPause(Time time, LongPredicate isEnough, Runnable attempt) {
        this.time = time;
        this.isEnough = isEnough;
        this.attempt = attempt;
    }

    /** Discards earlier notifications at the beginning of an attempt. */
    synchronized void forgetNotifications() {
        notifiers = 0;
        announced = null;
    }

    /** Begins a pause before an attempt; it ends at once if a majority has notified the waiter meanwhile. */
    void begin(Duration length) {
        begin(length, attempt);
    }

    /** Begins a pause as {@link #begin(Duration)} does; another action follows if it lasts for its whole length. */
    void begin(Duration length, Runnable next) {
        boolean notified;
        synchronized (this) {
            End known = announced;
            Duration left = known == null ? length : longer(known.left(time.now()), Duration.ZERO);
            set(shorter(length, left), left.compareTo(length) < 0 ? attempt : next);
            notified = isEnough.test(notifiers);
        }
        if (notified) {
            attemptNow();
        }
    }

    /** Receives a notification of a node. */
    void wake(int node, WakeUp wake) {
        synchronized (this) {
            if (!wake.isReserved()) {
                // Another client was notified, or the lock is retained; this one is next.
                announced = new End(time.now(), wake.retryAfter());
                shortenTo(wake.retryAfter());
                return;
            }
            notifiers |= NodeSets.node(node);
            if (!isEnough.test(notifiers)) {
                return;
            }
        }
        attemptNow();
    }

    /** Ends the present pause after this time at the latest; has no effect between pauses. */
    synchronized void shortenTo(Duration length) {
        Timeout now = timeout;
        if (now != null && length.compareTo(now.end().left(time.now())) < 0) {
            now.timer().cancel();
            set(length, attempt);
        }
    }

    /** Lets the present pause end after exactly this time; has no effect between pauses. */
    synchronized void restart(Duration length) {
        Timeout now = timeout;
        if (now != null) {
            now.timer().cancel();
            set(length, attempt);
        }
    }

    private void set(Duration length, Runnable next) {
        timeout = new Timeout(new End(time.now(), length), time.schedule(length, this::fire), next);
    }

    private void fire() {
        Timeout ended = take();
        if (ended != null) {
            run(ended.next());
        }
    }

    private void attemptNow() {
        if (end()) {
            run(attempt);
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable failed) {
            begin(REPETITION, action);
            throw failed;
        }
    }

    /** Ends the present pause without running an action; returns {@code true} if there was one. */
    boolean end() {
        return take() != null;
    }

    private synchronized @Nullable Timeout take() {
        Timeout ended = timeout;
        timeout = null;
        if (ended != null) {
            ended.timer().cancel();
        }
        return ended;
    }
}
