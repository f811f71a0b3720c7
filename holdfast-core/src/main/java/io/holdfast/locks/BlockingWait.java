package io.holdfast.locks;

import io.holdfast.HoldfastException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The forms of an acquisition: with another wait limit, blocking, and with contention as an empty result. */
final class BlockingWait {

    private BlockingWait() {}

    /** Returns these options with another wait limit. */
    static LockOptions waiting(LockOptions options, Duration waitLimit) {
        return options.toBuilder().waitLimit(waitLimit).build();
    }

    /**
     * Requests something and waits for the future. A failure has the stack trace of the waiting thread.
     *
     * @param release called for a result that arrives just as the thread is interrupted
     * @throws InterruptedException if the thread is interrupted; the future is cancelled then
     */
    static <T> T on(Supplier<CompletableFuture<T>> request, Consumer<T> release) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the request");
        }
        CompletableFuture<T> future = request.get();
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (!future.cancel(true)) {
                future.thenAccept(release);
            }
            throw e;
        } catch (ExecutionException e) {
            throw HoldfastException.from(e);
        }
    }

    /**
     * Returns the acquisition itself, for a caller that does not await its result and would never learn that it has failed.
     *
     * @throws IllegalStateException if the acquisition has failed already because the client is closed
     */
    static <T> CompletableFuture<T> unlessClosed(CompletableFuture<T> acquisition) {
        if (acquisition.isCompletedExceptionally()
                && acquisition.handle((result, failure) -> failure).join() instanceof IllegalStateException closed) {
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
