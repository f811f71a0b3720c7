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

    /**
     * Requests something and waits for it. If the wait ends by an interrupt or an error, the future is cancelled.
     *
     * @param release called for a result that arrives nevertheless
     */
    static <T> T get(Time time, Supplier<CompletableFuture<T>> request, Consumer<? super T> release)
            throws InterruptedException {
        requireNotInterrupted("the lock");
        CompletableFuture<T> future = request.get();
        try {
            return get(time, future);
        } catch (Throwable ended) {
            if (!future.cancel(true)) {
                future.thenAccept(release);
            }
            throw ended;
        }
    }

    /** Throws if the thread is interrupted before it has requested anything. */
    static void requireNotInterrupted(String what) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + what + " was requested");
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
