package io.holdfast.client;

import io.holdfast.acquire.WaitLimit;
import io.holdfast.lease.LockMode;
import io.holdfast.quorum.LockParameters;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock: how to wait for it and how to hold it.
 *
 * @param begun when the request began; null if there is no listener for events
 */
public record LockRequest(
        String resource,
        LockParameters parameters,
        WaitLimit limit,
        Duration holdLimit,
        boolean renewal,
        @Nullable Moment begun) {

    /** Returns the time for which the nodes keep the lock without a renewal. */
    Duration lease() {
        return parameters.ttl();
    }

    /** Returns the mode of the hold. */
    LockMode mode() {
        return parameters.mode();
    }
}
