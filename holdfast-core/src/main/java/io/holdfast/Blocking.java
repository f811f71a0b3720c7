package io.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

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
}
