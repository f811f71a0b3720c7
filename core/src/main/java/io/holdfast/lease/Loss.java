package io.holdfast.lease;

import java.time.Duration;

/**
 * The loss of a lease. Immutable.
 *
 * @param resource the name of the lock; one of more than 512 characters is replaced by its key
 * @param reason the reason of the loss
 * @param overrun the time from the end of the validity to the detection of the loss; zero in the normal case, in which
 *     the loss is detected before. More than zero means that another holder may have worked meanwhile
 */
public record Loss(String resource, LossReason reason, Duration overrun) {

    /** A timer may be late by a few milliseconds. A process that is later was paused, or without a processor. */
    private static final Duration TIMER_TOLERANCE = Duration.ofMillis(100);

    /** Returns one line for a log. */
    @Override
    public String toString() {
        String late = isLate()
                ? "; noticed " + overrun.toMillis() + " ms after its end, because this process was paused or without a"
                        + " processor"
                : "";
        return "lease on '" + resource + "' lost: " + why() + late;
    }

    /** Returns {@code true} if the loss was noticed so late that this process was paused, or without a processor. */
    public boolean isLate() {
        return overrun.compareTo(TIMER_TOLERANCE) > 0;
    }

    private String why() {
        return switch (reason) {
            case EXPIRED -> isLate() ? "its lease ended" : "it was not renewed, or vanished from the servers";
            case TAKEN -> "another client holds it";
            case QUORUM_UNREACHABLE -> "too few servers have answered since its last renewal";
            case HOLD_LIMIT -> "it was held for as long as its hold limit allows";
            case CLOSED -> "its client was closed";
        };
    }
}
