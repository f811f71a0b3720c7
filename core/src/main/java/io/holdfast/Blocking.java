package io.holdfast;

import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The blocking forms of asynchronous methods. A failure has the stack trace of the waiting thread. */
final class Blocking {

    private Blocking() {}

    /** Waits for the future. An interrupt does not end the wait; it stays set. */
    static <T> T join(Time time, CompletableFuture<T> future) {
        ThreadWait.uninterruptibly(time::await, future, Durations.FOREVER);
        return result(future);
    }

    /** Waits for the future. An interrupt ends the wait, and leaves the future as it is. */
    static <T> T get(Time time, CompletableFuture<T> future) throws InterruptedException {
        time.await(future, Durations.FOREVER);
        return result(future);
    }

    /** Requests something and waits for it; see {@link ThreadWait#request}. */
    static <T> T get(Time time, Supplier<CompletableFuture<T>> request, Consumer<? super T> release)
            throws InterruptedException {
        try {
            return ThreadWait.request(time::await, request, release);
        } catch (CompletionException e) {
            throw HoldfastException.from(e);
        }
    }

    private static <T> T result(CompletableFuture<T> complete) {
        try {
            return ThreadWait.resultOf(complete);
        } catch (CompletionException e) {
            throw HoldfastException.from(e);
        }
    }
}
