package io.holdfast.lease;

import java.time.Duration;

/**
 * The loss of a lease. Immutable.
 *
 * @param resource the name of the lock
 * @param reason the reason of the loss
 * @param overrun the time from the end of the validity to the detection of the loss; zero in the normal case, in which the loss is
 *     detected before. More than zero means that this process was paused, and that another holder may have worked meanwhile
 */
public record Loss(String resource, LossReason reason, Duration overrun) {

    /** Returns one line for a log. */
    @Override
    public String toString() {
        String late = isLate()
                ? "; noticed " + overrun.toMillis() + " ms after its end, because this process was stopped"
                : "";
        return "lease on '" + resource + "' lost: " + why() + late;
    }

    /** A limit that ends a lease at once is over for some nanoseconds when that is noticed. */
    private boolean isLate() {
        return overrun.toMillis() > 0;
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
