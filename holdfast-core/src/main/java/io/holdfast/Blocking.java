package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where the caller's thread waits for what was written asynchronously. */
final class Blocking {

    private Blocking() {}

    /** Waits through interrupts; the interrupt is kept for the caller to see. */
    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw unwrap(e);
        }
    }

    /** Waits; an interrupt ends the wait, not what is waited for. */
    static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    /** Waits at most so long, not through a second interrupt; the interrupt is kept for the caller to see. */
    static void await(CompletableFuture<?> future, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            // What is awaited goes on, or is over.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The failure itself, with the trace of the thread that waited for it. */
    private static RuntimeException unwrap(Exception wrapper) {
        if (wrapper.getCause() instanceof HoldfastException failure) {
            failure.setStackTrace(Thread.currentThread().getStackTrace());
            return failure;
        }
        return wrapper.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(wrapper);
    }
}
