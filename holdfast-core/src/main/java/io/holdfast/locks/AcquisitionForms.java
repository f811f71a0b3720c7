package io.holdfast.locks;

import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The forms of an acquisition: with another wait limit, delivered to the user, and with contention as an empty result.
 */
final class AcquisitionForms {

    private AcquisitionForms() {}

    /** Returns these options with another wait limit. */
    static LockOptions waiting(LockOptions options, Duration waitLimit) {
        return options.toBuilder().waitLimit(waitLimit).build();
    }

    /**
     * Returns the acquisition itself, for a caller that does not await its result and would never learn that it has failed.
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

    /**
     * Returns a future that completes as the acquisition does, on the executor of the user. If the caller ends it, the acquisition ends.
     * One that has failed already is returned as it is.
     *
     * @param release called for a result that the caller does not want any more
     */
    static <T> CompletableFuture<T> delivered(
            CompletableFuture<T> acquisition, Executor callbacks, Consumer<T> release) {
        if (acquisition.isCompletedExceptionally()) {
            return acquisition;
        }
        CompletableFuture<T> wanted = new CompletableFuture<>();
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        acquisition.whenCompleteAsync(
                (granted, failure) -> {
                    if (failure != null) {
                        wanted.completeExceptionally(failure);
                    } else if (!wanted.complete(granted)) {
                        release.accept(granted);
                    }
                },
                callbacks);
        return wanted;
    }

    /**
     * Returns a future that is empty if another holder had the lock until the wait limit was over. If the caller ends it, the acquisition
     * ends.
     *
     * @param release called for a result that the caller does not want any more
     */
    static <T> CompletableFuture<Optional<T>> unlessHeld(CompletableFuture<T> acquisition, Consumer<T> release) {
        CompletableFuture<Optional<T>> wanted = new CompletableFuture<>();
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        acquisition.whenComplete((granted, failure) -> {
            if (failure instanceof LockTimeoutException) {
                wanted.complete(Optional.empty());
            } else if (failure != null) {
                wanted.completeExceptionally(failure);
            } else if (!wanted.complete(Optional.of(granted))) {
                release.accept(granted);
            }
        });
        return wanted;
    }
}
