package io.holdfast.locks;

import io.holdfast.HoldfastException;
import io.holdfast.LockTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The blocking form of what is written without blocking. */
final class BlockingWait {

    private BlockingWait() {}

    /** The same as {@link #on}, but empty where another holds the lock. */
    static <T> Optional<T> unlessHeld(CompletableFuture<T> future) throws InterruptedException {
        try {
            return Optional.of(on(future));
        } catch (LockTimeoutException held) {
            return Optional.empty();
        }
    }

    /** Waits for the future; an interrupt cancels it. Throws what it failed with, with the trace of the thread that waited. */
    static <T> T on(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw HoldfastException.from(e);
        }
    }
}
