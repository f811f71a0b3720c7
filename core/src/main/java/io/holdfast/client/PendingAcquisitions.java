package io.holdfast.client;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.ClientDescription;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The acquisitions of one client that are pending, which end when the client is closed. Thread-safe. */
final class PendingAcquisitions {

    /** An acquisition that is pending. The numbers are in the order in which acquisitions began. */
    static final class Pending {

        private final long number;
        private final String resource;
        private final CompletableFuture<?> wanted;
        private @Nullable Moment firstSeen;

        private Pending(long number, String resource, CompletableFuture<?> wanted) {
            this.number = number;
            this.resource = resource;
            this.wanted = wanted;
        }

        /** Returns the key of the lock; empty if this waits for something else. */
        String resource() {
            return resource;
        }

        /** Returns the time since the first call, by one thread at a time: a lower bound of the wait. */
        Duration seenFor(Moment now) {
            Moment first = firstSeen == null ? now : firstSeen;
            firstSeen = first;
            return now.surelySince(first);
        }

        private void fail() {
            wanted.completeExceptionally(new IllegalStateException("This Holdfast is closed; connect a new one"));
        }
    }

    private final Set<Pending> all = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final LongWaits longWaits;

    /** Creates an object without acquisitions, of which those that wait for long are logged; see {@link LongWaits}. */
    PendingAcquisitions(
            Function<String, CompletableFuture<Optional<ClientDescription>>> holders,
            Function<String, AcquireResult.Refused<?>> known,
            LongWaits.Log log,
            Time time) {
        this.longWaits = new LongWaits(this, holders, known, log, time);
    }

    /**
     * Adds an acquisition before it begins. Returns {@code false} if the client is closed, so that its future has
     * failed.
     *
     * @param resource the key of the lock; empty if it waits for something else
     */
    boolean add(CompletableFuture<?> wanted, String resource) {
        Pending added = new Pending(count.incrementAndGet(), resource, wanted);
        all.add(added);
        longWaits.begin();
        wanted.whenComplete((result, failure) -> all.remove(added));
        if (closed.get()) {
            added.fail();
        }
        return !closed.get();
    }

    /** Returns {@code true} if acquisitions that begin now fail. */
    boolean isClosed() {
        return closed.get();
    }

    /** Returns {@code true} if no acquisition is pending. */
    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns the acquisitions of locks that are pending. */
    Stream<Pending> ofLocks() {
        return all.stream().filter(pending -> !pending.resource.isEmpty());
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
        List<Pending> ending = new ArrayList<>(all);
        ending.sort((first, second) -> Long.compare(second.number, first.number));
        ending.forEach(Pending::fail);
        return true;
    }
}
