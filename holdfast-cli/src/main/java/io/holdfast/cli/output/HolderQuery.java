package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A query for the holder of a lock that was not acquired. A server that hangs must not delay the message for long. */
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
            return Optional.of(CompletableFuture.supplyAsync(() -> admin.status(resource))
                    .get(Durations.shorter(LIMIT, limit).toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException unknown) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
