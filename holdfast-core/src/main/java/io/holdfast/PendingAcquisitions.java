package io.holdfast;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What the callers of one {@code Holdfast} wait for, until it is closed. Thread-safe. */
final class PendingAcquisitions {

    /** How a wait ends; waits end in the order in which they have begun. */
    private record Ending(long number, Runnable action) {}

    private final Set<Ending> endings = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
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
            Ending ending = new Ending(count.incrementAndGet(), () -> wait.completeExceptionally(failure()));
            endings.add(ending);
            wait.whenComplete((result, failure) -> endings.remove(ending));
            if (closed.get()) {
                ending.action().run();
            }
        }
        return wait;
    }

    /** Ends all waits, and those that begin later; returns false if another thread has done so before. */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        endings.stream()
                .sorted(Comparator.comparingLong(Ending::number))
                .forEach(ending -> ending.action().run());
        return true;
    }
}
