package io.holdfast;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What the callers of one {@code Holdfast} wait for, until it is closed. Thread-safe. */
final class OpenWaits {

    private final Set<Runnable> endings = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** How a wait ends, if it has not ended before. */
    static IllegalStateException closed() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    /** Ends it when this is closed. */
    <T> CompletableFuture<T> add(CompletableFuture<T> wait) {
        if (!wait.isDone()) {
            Runnable ending = () -> wait.completeExceptionally(closed());
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
