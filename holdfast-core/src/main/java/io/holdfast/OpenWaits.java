package io.holdfast;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the callers of one {@code Holdfast} wait for, until it is closed. Thread-safe. */
final class OpenWaits {

    private final Set<Runnable> endings = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    boolean areClosed() {
        return closed;
    }

    /** How a wait ends then, if it has not ended before. */
    static IllegalStateException failure() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    /** Begins it, unless this is closed, and ends it when this is. */
    <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> beginning) {
        if (closed) {
            return CompletableFuture.failedFuture(failure());
        }
        CompletableFuture<T> wait = beginning.get();
        if (!wait.isDone()) {
            Runnable ending = () -> wait.completeExceptionally(failure());
            endings.add(ending);
            wait.whenComplete((result, failure) -> endings.remove(ending));
            if (closed) {
                ending.run();
            }
        }
        return wait;
    }

    void close() {
        closed = true;
        endings.forEach(Runnable::run);
    }
}
