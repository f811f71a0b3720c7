package io.holdfast.locks;

import io.holdfast.Lease;
import java.util.concurrent.CompletableFuture;

/** One term of a leader, from the grant of the lock to the end of its callbacks. */
final class Leadership {

    final Lease lease;
    /** Completes when the term has ended and the candidate has been notified of that. */
    final CompletableFuture<Void> over = new CompletableFuture<>();
    /** {@code true} if {@link LeaderElection.Candidate#elected} has been called, or is about to be. */
    volatile boolean announced;

    Leadership(Lease lease) {
        this.lease = lease;
    }
}
