package io.holdfast;

import io.holdfast.hold.Extension;
import io.holdfast.hold.Hold;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The extensions of one lease: checked against the bounds of leases, with the end of the lease as a failure. */
record LeaseExtensions(Hold hold, LockClient client) {

    /** See {@link Lease#ensureValidFor}. */
    void ensureValidFor(Duration duration) {
        if (!hold.state().isValid()) {
            throw overException();
        }
        if (hold.remaining().compareTo(duration) >= 0) {
            return;
        }
        client.options().requireLease(duration);
        Blocking.join(extend(enoughFor(duration)));
        if (hold.remaining().compareTo(duration) < 0) {
            throw new LeaseLostException(
                    resource(),
                    "The lease on '" + resource() + "' has " + hold.remaining().toMillis() + " ms left, not the "
                            + duration.toMillis() + " ms asked for, and could not be extended");
        }
    }

    /** Returns the extension that leaves this validity after drift and a slow round, as far as the bounds of leases allow it. */
    private Duration enoughFor(Duration duration) {
        Duration enough = duration.plus(hold.parameters().drift().of(duration))
                .plus(hold.parameters().nodeTimeout());
        Duration bound = Durations.shorter(client.options().maxLease(), hold.extensible());
        return Durations.longer(OptionChecks.MIN_LEASE, Durations.shorter(enough, bound));
    }

    /** See {@link Lease#extend}. */
    CompletableFuture<Boolean> extend(Duration duration) {
        OptionChecks.lease("lease", duration);
        client.options().requireLease(duration);
        if (hold.state().isValid() && duration.compareTo(hold.extensible()) > 0) {
            return CompletableFuture.completedFuture(false);
        }
        return confirmed(hold.extend(duration));
    }

    /** See {@link Lease#downgrade}. */
    CompletableFuture<Boolean> downgrade() {
        return confirmed(hold.downgrade());
    }

    private CompletableFuture<Boolean> confirmed(CompletableFuture<Extension> extended) {
        return extended.thenApply(extension -> {
            if (extension == Extension.ENDED) {
                throw overException();
            }
            return extension == Extension.CONFIRMED;
        });
    }

    LeaseLostException overException() {
        return new LeaseLostException(resource(), "The lease on '" + resource() + "' is " + hold.state());
    }

    private String resource() {
        return hold.claim().resource();
    }
}
