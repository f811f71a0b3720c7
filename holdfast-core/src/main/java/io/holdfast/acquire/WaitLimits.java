package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one acquisition.
 *
 * @param whileHeld how long it waits in all while another holds the lock; zero: it does not wait for a holder
 * @param whileUnreachable how long it goes on while too few nodes answer. If it is longer than {@code whileHeld}, the acquisition also
 *     waits for the end of a quarantine
 * @param splitVotes how many rounds may follow one in which several clients shared the votes, beyond the other limits
 */
public record WaitLimits(Duration whileHeld, Duration whileUnreachable, int splitVotes) {

    /** The limits of a waiter that has used up its own: one round, nothing after it. */
    static final WaitLimits LAST_ROUND = new WaitLimits(Duration.ofNanos(1), Duration.ofNanos(1), 0);

    private static final Duration UNLIMITED = Duration.ofDays(36_525);

    /**
     * The time that is left.
     *
     * @param waited since the acquisition began
     * @param unreachableFor for how long too few nodes have answered, within that time; null: enough of them answer
     */
    Duration left(Duration waited, @Nullable Duration unreachableFor) {
        return unreachableFor == null
                ? whileHeld.minus(waited)
                : shorter(
                        whileUnreachable.minus(unreachableFor),
                        longer(whileHeld, whileUnreachable).minus(waited));
    }

    /** The time that is left while only nodes in quarantine are missing, which will vote again. */
    Duration leftInQuarantine(Duration waited) {
        return whileUnreachable.compareTo(whileHeld) > 0 ? UNLIMITED : whileHeld.minus(waited);
    }

    /** Whether the acquisition waits for a holder, and so has a position in the wait queue. */
    boolean isWaiting() {
        return !whileHeld.isZero();
    }
}
