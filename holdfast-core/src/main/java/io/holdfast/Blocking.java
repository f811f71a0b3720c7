package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The blocking forms of asynchronous methods. */
final class Blocking {

    private Blocking() {}

    /** Waits for the future. An interrupt does not end the wait; it stays set. */
    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw HoldfastException.from(e);
        }
    }

    /** Waits for the future. An interrupt ends the wait, and leaves the future as it is. */
    static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw HoldfastException.from(e);
        }
    }

    /** Waits for the future at most this long. One interrupt does not end the wait, a second one does; it stays set. */
    static void await(CompletableFuture<?> future, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            // The future completes later, or has failed, which is its owner's business.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
