package io.holdfast.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The acquisitions of one client that are pending, which end when the client is closed. Thread-safe. */
final class PendingAcquisitions {

    /** Ends one acquisition. The numbers are in the order in which acquisitions began. */
    private record Ending(long number, Runnable action) {}

    private final Set<Ending> endings = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Returns the failure of acquisitions that are pending when the client is closed. */
    private static IllegalStateException failure() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    /**
     * Adds an acquisition before it begins. Returns {@code false} if the client is closed, so that its future has
     * failed.
     */
    boolean add(CompletableFuture<?> wanted) {
        Ending ending = new Ending(count.incrementAndGet(), () -> wanted.completeExceptionally(failure()));
        endings.add(ending);
        wanted.whenComplete((result, failure) -> endings.remove(ending));
        if (closed.get()) {
            ending.action().run();
        }
        return !closed.get();
    }

    /** Returns {@code true} if no acquisition is pending. */
    boolean isEmpty() {
        return endings.isEmpty();
    }

    /**
     * Fails all pending acquisitions, and those that begin later. Returns {@code false} if another call has done so
     * before.
     */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        // The last one ends first. Otherwise each end would let the next waiter ask the nodes.
        List<Ending> all = new ArrayList<>(endings);
        all.sort((first, second) -> Long.compare(second.number(), first.number()));
        all.forEach(ending -> ending.action().run());
        return true;
    }
}
