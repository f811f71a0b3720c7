package io.holdfast;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** What the callers of one {@code Holdfast} wait for, until it is closed. Thread-safe. */
final class OpenWaits {

    private final Set<Runnable> endings = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    boolean areClosed() {
        return closed.get();
    }

    /** How a wait ends then, if it has not ended before. */
    static IllegalStateException failure() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    /** Begins it, unless this is closed, and ends it when this is. */
    <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> beginning) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(failure());
        }
        CompletableFuture<T> wait = beginning.get();
        if (!wait.isDone()) {
            Runnable ending = () -> wait.completeExceptionally(failure());
            endings.add(ending);
            wait.whenComplete((result, failure) -> endings.remove(ending));
            if (closed.get()) {
                ending.run();
            }
        }
        return wait;
    }

    /** Ends all waits, and those that begin later; returns false if another thread has done so before. */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        endings.forEach(Runnable::run);
        return true;
    }
}
