package io.holdfast;

import io.holdfast.client.LockClient;
import io.holdfast.client.StackRoom;
import io.holdfast.hold.Extension;
import io.holdfast.hold.Hold;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** The operations on one lease, with bounds that are checked, and with the end of the lease as a failure. */
record LeaseOperations(Hold hold, LockClient client) {

    /** See {@link Lease#ensureValidFor}. */
    void ensureValidFor(Duration duration) {
        requireLive(hold.isHeld());
        if (hold.remaining().compareTo(duration) >= 0) {
            return;
        }
        client.requireLease(duration);
        Duration request = enoughFor(duration);
        boolean extended = Blocking.join(client.time(), extend(request));
        Duration left = hold.remaining();
        if (left.compareTo(duration) < 0) {
            // If the nodes have confirmed the longest lease, they are not the reason.
            throw extended && request.equals(client.maxLease())
                    ? LeaseLostException.beyondMaxLease(resource(), left, duration, request)
                    : LeaseLostException.tooShort(resource(), left, duration);
        }
    }

    /**
     * Returns the extension that leaves this validity after drift and a slow round, as far as the bounds of leases
     * allow it.
     */
    private Duration enoughFor(Duration duration) {
        Duration enough = duration.plus(hold.parameters().drift().of(duration))
                .plus(hold.parameters().nodeTimeout());
        Duration bound = Durations.shorter(client.maxLease(), hold.extensible());
        return Durations.longer(OptionChecks.MIN_LEASE, Durations.shorter(enough, bound));
    }

    /** See {@link Lease#extend}. */
    CompletableFuture<Boolean> extend(Duration duration) {
        StackRoom.require();
        OptionChecks.atLeastShortest("lease", duration);
        client.requireLease(duration);
        if (hold.isHeld() && duration.compareTo(hold.extensible()) > 0) {
            return CompletableFuture.completedFuture(false);
        }
        return confirmed(hold.extend(duration));
    }

    /** See {@link Lease#limit}. */
    void limit(Duration fromNow) {
        boolean isNegative = OptionChecks.given("limit", fromNow).isNegative();
        OptionChecks.that(!isNegative, "limit", fromNow, "is negative", "give zero or a duration");
        requireLive(hold.limit(Durations.shorter(fromNow, LockOptions.FOREVER)));
    }

    /** See {@link Lease#downgrade}. */
    CompletableFuture<Boolean> downgrade() {
        StackRoom.require();
        return confirmed(hold.downgrade());
    }

    /** Releases the hold; if this thread cannot, the timer of the hold does. See {@link Lease#release}. */
    CompletableFuture<ReleaseOutcome> release(Duration keep) {
        try {
            StackRoom.require();
            return hold.release(keep);
        } catch (Error notReleased) {
            hold.releaseLater(keep);
            throw notReleased;
        }
    }

    private CompletableFuture<Boolean> confirmed(CompletableFuture<Extension> extended) {
        return extended.thenApply(extension -> {
            if (extension == Extension.ENDED) {
                throw overException();
            }
            return extension == Extension.CONFIRMED;
        });
    }

    /** Throws if the nodes must not keep a released lock for this long: a restarted node might forget it and vote. */
    void requireRetention(Duration keep) {
        // Every release comes here, so the message is made only when it is needed.
        if (OptionChecks.given("keep", keep).isNegative() || keep.compareTo(client.maxLease()) > 0) {
            throw new IllegalArgumentException("keep " + keep + " is not between zero and maxLease " + client.maxLease()
                    + ", the time for which a restarted node does not vote; shorten it, or raise maxLease for "
                    + "all clients");
        }
    }

    /** Throws if the lease has ended. */
    void requireLive(boolean live) {
        if (!live) {
            throw overException();
        }
    }

    private LeaseLostException overException() {
        return new LeaseLostException(
                resource(),
                "The lease on '" + resource() + "' is " + hold.state().name().toLowerCase(Locale.ROOT));
    }

    private String resource() {
        return hold.claim().name();
    }
}
