package io.holdfast.spring.integration;

import io.holdfast.LockOptions;
import io.holdfast.time.Durations;
import java.time.Duration;

/** The hold limits of leases that end after a time to live, and not before. */
final class HoldLimits {

    /** The part of the drift that does not depend on the length of the lease; see {@link LockOptions#driftShare}. */
    private static final Duration LEAST_DRIFT = Duration.ofMillis(2);

    private HoldLimits() {}

    /**
     * Returns the limit of a hold for this time: it is lost a margin earlier, and drift shortens its last extension.
     */
    static Duration after(Duration ttl, Duration margin, LockOptions options) {
        Duration limit = Durations.shorter(LockOptions.FOREVER, ttl).plus(margin);
        Duration lastExtension = Durations.shorter(options.lease(), limit);
        long driftNanos = (long) Math.ceil(lastExtension.toNanos() * options.driftShare());
        return limit.plus(LEAST_DRIFT).plusNanos(driftNanos);
    }
}
