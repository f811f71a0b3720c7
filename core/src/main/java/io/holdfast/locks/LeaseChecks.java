package io.holdfast.locks;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Checks of leases, which must be neither lost nor released, and of acquisitions, which must have begun. */
final class LeaseChecks {

    private LeaseChecks() {}

    /**
     * Releases the lease.
     *
     * @throws LeaseLostException if the lease was lost, or if the nodes did not keep the lock until now; nothing is
     *     held then either
     */
    static void release(Lease lease) {
        boolean lost = !lease.isValid();
        if (lease.release() == ReleaseOutcome.NOT_HELD || lost) {
            throw LeaseLostException.atRelease(lease.resource());
        }
    }

    /**
     * Returns normally if the lease may be relied on for this long. Asks no node.
     *
     * @throws LeaseLostException if the lease is lost or released, or ends earlier
     */
    static void requireFor(Lease lease, Duration duration) {
        require(lease);
        Duration left = lease.remaining();
        if (left.compareTo(duration) < 0) {
            throw LeaseLostException.tooShort(lease.resource(), left, duration);
        }
    }

    /**
     * Returns normally if the lease may be relied on at this moment. Asks no node.
     *
     * @throws LeaseLostException if the lease is lost or released
     */
    static void require(Lease lease) {
        if (!lease.isValid()) {
            // Throws without a round trip, since the lease is over, and says which end it had.
            lease.ensureValidFor(Duration.ofMillis(1));
        }
    }

    /**
     * Returns the acquisition itself, for a caller that does not await its result and would never learn that it has
     * failed.
     *
     * @throws IllegalStateException if the acquisition has failed already because the client is closed
     */
    static <T> CompletableFuture<T> unlessClosed(CompletableFuture<T> acquisition) {
        if (acquisition.isCompletedExceptionally()
                && ThreadWait.resultOf(acquisition.handle((result, failure) -> failure))
                        instanceof IllegalStateException closed) {
            throw closed;
        }
        return acquisition;
    }
}
