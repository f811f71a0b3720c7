package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one acquisition.
 *
 * @param whileHeld the longest total wait while another client holds the lock; zero: the acquisition does not wait for
 *     a holder
 * @param whileUnreachable the longest wait while too few nodes answer. If it is longer than {@code whileHeld}, the
 *     acquisition also waits for the end of a quarantine
 * @param splitVotes the number of additional rounds, beyond the other limits, after rounds in which concurrent clients
 *     split the votes
 * @param failFast whether the acquisition ends at once if no majority has answered yet, and waiting does not help
 */
public record WaitLimits(Duration whileHeld, Duration whileUnreachable, int splitVotes, boolean failFast) {

    /** The limits of a waiter whose own limits have expired: one round. */
    static final WaitLimits LAST_ROUND = new WaitLimits(Duration.ofNanos(1), Duration.ofNanos(1), 0, false);

    /**
     * Returns the time that is left.
     *
     * @param waited the time since the acquisition began
     * @param unreachableFor the time since too few nodes answer, at most {@code waited}; null: enough nodes answer
     */
    Duration left(Duration waited, @Nullable Duration unreachableFor) {
        return unreachableFor == null
                ? whileHeld.minus(waited)
                : shorter(
                        whileUnreachable.minus(unreachableFor),
                        longer(whileHeld, whileUnreachable).minus(waited));
    }

    /** Returns the time that is left while only quarantined nodes are missing, which will vote again. */
    Duration leftInQuarantine(Duration waited) {
        return whileUnreachable.compareTo(whileHeld) > 0 ? Durations.FOREVER : whileHeld.minus(waited);
    }

    /** Returns {@code true} if the acquisition waits for a holder, and so has a position in the wait queue. */
    boolean isWaiting() {
        return !whileHeld.isZero();
    }
}
