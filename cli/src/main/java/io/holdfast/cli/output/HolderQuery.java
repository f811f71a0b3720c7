package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A query for the status of a lock that was not acquired, or was lost. A server that hangs must not delay the message
 * for long.
 */
public final class HolderQuery {

    private static final Duration LIMIT = Duration.ofMillis(500);

    private HolderQuery() {}

    /** Returns the status of the lock; empty if the servers do not answer in time. */
    public static Optional<LockStatus> status(LockAdmin admin, String resource) {
        return status(admin, resource, LIMIT);
    }

    /** Returns the status of the lock; empty if the servers do not answer within this time, at most half a second. */
    static Optional<LockStatus> status(LockAdmin admin, String resource, Duration limit) {
        try {
            CompletableFuture<LockStatus> status = CompletableFuture.supplyAsync(() -> admin.status(resource));
            boolean isKnown =
                    ThreadWait.park(status, Durations.shorter(LIMIT, limit)) && !status.isCompletedExceptionally();
            return isKnown ? Optional.of(ThreadWait.resultOf(status)) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
