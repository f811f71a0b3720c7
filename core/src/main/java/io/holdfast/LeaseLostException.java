package io.holdfast;

import io.holdfast.time.Durations;
import java.time.Duration;

/** Thrown if a lease has ended, or cannot be made to last for the requested time. */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(String resource, String message) {
        super(resource, message);
    }

    /**
     * Returns the exception for a lease that could not be made to last for the requested time. For classes that are
     * built on leases.
     *
     * @param resource the name of the lock
     * @param left the time for which the lease may be relied on
     * @param wanted the requested time
     */
    public static LeaseLostException tooShort(String resource, Duration left, Duration wanted) {
        return new LeaseLostException(resource, shortfall(resource, left, wanted) + ", and could not be extended");
    }

    /** Returns the exception for a lease that was extended as far as {@link HoldfastOptions#maxLease} allows. */
    static LeaseLostException beyondMaxLease(String resource, Duration left, Duration wanted, Duration maxLease) {
        return new LeaseLostException(
                resource,
                shortfall(resource, left, wanted) + ": an extension lasts at most maxLease " + maxLease
                        + ", less drift and a round trip; ask for less, or raise maxLease for all clients");
    }

    /** Returns the exception for a detached lease that has ended, so that a majority of the nodes denies it. */
    static LeaseLostException denied(String resource, String votes) {
        return new LeaseLostException(
                resource,
                "The lease on '" + resource + "' has ended; it is not held by this owner any more [" + votes + "]");
    }

    private static String shortfall(String resource, Duration left, Duration wanted) {
        return "The lease on '" + resource + "' has " + left.toMillis() + " ms left, not the "
                + Durations.shorter(wanted, Durations.FOREVER).toMillis() + " ms asked for";
    }

    /**
     * Returns the exception for a lease that the nodes did not hold any more when it was released, after {@link
     * io.holdfast.lease.ReleaseOutcome#NOT_HELD}. For classes that are built on leases.
     *
     * @param resource the name of the lock
     */
    public static LeaseLostException atRelease(String resource) {
        return new LeaseLostException(
                resource,
                "The lease on '" + resource
                        + "' was lost before its release; another holder may have been inside as well");
    }
}
