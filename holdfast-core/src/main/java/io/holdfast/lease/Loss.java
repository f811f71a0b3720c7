package io.holdfast.lease;

import java.time.Duration;

/**
 * A lease that was lost.
 *
 * @param resource what it was for
 * @param reason why
 * @param overrun by how much the news comes after the end of the validity; zero in the normal case, where it comes before.
 *     More than zero means that this process stood still, and that another holder may have worked since
 */
public record Loss(String resource, LossReason reason, Duration overrun) {

    @Override
    public String toString() {
        String late = overrun.isZero() ? "" : ", noticed " + overrun.toMillis() + " ms after its end";
        return "lease on '" + resource + "' lost: " + reason + late;
    }
}
