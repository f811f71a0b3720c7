package io.holdfast.client;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The acquisitions of one client that are pending, which end when the client is closed. Thread-safe. */
final class PendingAcquisitions {

    /** Ends one acquisition. The numbers are in the order in which acquisitions began, in which they also end. */
    private record Ending(long number, Runnable action) {}

    private final Set<Ending> endings = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Returns the failure of acquisitions that are pending when the client is closed. */
    private static IllegalStateException failure() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    /** Runs the operation, and fails its future if the client is closed first. */
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

    /** Fails all pending acquisitions, and those that begin later. Returns {@code false} if another call has done so before. */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        endings.stream()
                .sorted((first, second) -> Long.compare(first.number(), second.number()))
                .forEach(ending -> ending.action().run());
        return true;
    }
}
