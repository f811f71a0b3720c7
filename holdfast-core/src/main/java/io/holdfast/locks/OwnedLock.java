package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A re-entrant lock whose owner the caller names: a request, a task, an actor, whatever goes on from one thread to the next. An
 * owner that has the lock gets it again at once, and the lock is given up when it has been released as often.
 *
 * <p>Owners are told apart by {@code equals}, and only within one object of this class: keep it, for two of them know nothing of
 * each other. An owner does one thing at a time. Thread-safe.
 *
 * @see ReentrantDistributedLock for owners that are threads
 */
public final class OwnedLock implements ReentrantOwner {

    private final DistributedLock lock;
    private final Map<Object, Entry> entries = new HashMap<>();

    private OwnedLock(DistributedLock lock) {
        this.lock = lock;
    }

    /** A lock that nobody owns yet in this object. */
    public static OwnedLock of(DistributedLock lock) {
        return new OwnedLock(lock);
    }

    /** How often an owner is inside; without a lease while it waits to get there. */
    private static final class Entry {

        /** What the owner waits for without blocking; null: it blocks, or has been given its lease. */
        private final @Nullable CompletableFuture<Lease> wanted;

        private @Nullable Lease lease;
        private int depth;

        private Entry(@Nullable CompletableFuture<Lease> wanted) {
            this.wanted = wanted;
        }

        /** The lease of an owner that is inside: from the moment on at which the future has it, and no earlier. */
        private @Nullable Lease lease() {
            boolean delivered = wanted == null
                    || (wanted.isDone()
                            && !wanted.isCompletedExceptionally()
                            && Objects.equals(wanted.getNow(null), lease));
            return delivered ? lease : null;
        }

        /** Whether the owner has ended the wait itself, and what may still be granted is not for it. */
        private boolean isAbandoned() {
            return wanted != null && wanted.isDone() && lease() == null;
        }
    }

    private interface Way {
        Optional<Lease> in() throws InterruptedException;
    }

    /**
     * Waits for the lock as {@link DistributedLock#acquire()} does, unless the owner has it.
     *
     * @return the owner's lease; {@linkplain #release release} the lock, do not close the lease
     * @throws LeaseLostException if the owner had it and has lost it
     * @throws IllegalStateException if the owner waits for it already
     */
    public Lease acquire(Object owner) throws InterruptedException {
        return enter(owner, () -> Optional.of(lock.acquire())).orElseThrow();
    }

    /** The same as {@link #acquire(Object)}, waiting at most this long. */
    @Override
    public Lease acquire(Object owner, Duration waitLimit) throws InterruptedException {
        return enter(owner, () -> Optional.of(lock.acquire(waitLimit))).orElseThrow();
    }

    /** The same as {@link #acquire(Object)}, without waiting for another holder; empty if there is one. */
    @Override
    public Optional<Lease> tryAcquire(Object owner) throws InterruptedException {
        return enter(owner, lock::tryAcquire);
    }

    /** The same as {@link #acquire(Object)}, without blocking, with the options of the lock. Cancelling the future ends the wait. */
    public CompletableFuture<Lease> acquireAsync(Object owner) {
        return acquireAsync(owner, lock.options());
    }

    /** The same with other options. */
    public CompletableFuture<Lease> acquireAsync(Object owner, LockOptions options) {
        CompletableFuture<Lease> result = new CompletableFuture<>();
        Entry entry = new Entry(result);
        Lease again = again(owner, entry);
        if (again != null) {
            return CompletableFuture.completedFuture(again);
        }
        CompletableFuture<Lease> first = begin(owner, entry, options);
        result.whenComplete((granted, failure) -> first.cancel(true));
        first.whenComplete((granted, failure) -> {
            settle(owner, entry, granted);
            if (granted == null) {
                result.completeExceptionally(failure);
            } else if (!result.complete(granted)) {
                settle(owner, entry, null);
                granted.releaseAsync();
            }
        });
        return result;
    }

    private CompletableFuture<Lease> begin(Object owner, Entry entry, LockOptions options) {
        try {
            return lock.acquireAsync(options);
        } catch (RuntimeException refused) {
            settle(owner, entry, null);
            throw refused;
        }
    }

    private Optional<Lease> enter(Object owner, Way way) throws InterruptedException {
        Entry next = new Entry(null);
        Lease again = again(owner, next);
        if (again != null) {
            return Optional.of(again);
        }
        Lease lease = null;
        try {
            lease = way.in().orElse(null);
        } finally {
            settle(owner, next, lease);
        }
        return Optional.ofNullable(lease);
    }

    /** One level deeper for an owner that is inside; otherwise null, and it is on its way with this entry from now on. */
    private synchronized @Nullable Lease again(Object owner, Entry next) {
        Entry entry = entries.get(owner);
        if (entry == null || entry.isAbandoned()) {
            entries.put(owner, next);
            return null;
        }
        Lease lease = entry.lease();
        if (lease == null) {
            throw new IllegalStateException("'" + owner + "' waits for '" + lock.resource()
                    + "' already; an owner does one thing at a time: give each task an owner of its own");
        }
        requireHeld(lease);
        entry.depth++;
        return lease;
    }

    /** Has no effect on an owner that has ended this wait, and is on its way again or inside with another entry. */
    private synchronized void settle(Object owner, Entry entry, @Nullable Lease lease) {
        if (lease == null) {
            entries.remove(owner, entry);
        } else if (entry.equals(entries.get(owner))) {
            entry.lease = lease;
            entry.depth = 1;
        }
    }

    /**
     * Gives the lock back once; the last time, gives it up. Waits for the nodes as {@link Lease#release()} does.
     *
     * @throws IllegalMonitorStateException if this owner does not have it; nothing is given up then
     * @throws LeaseLostException the last time, if the lease was lost before: what was done may have been done by two
     */
    @Override
    public void release(Object owner) {
        Lease last = leave(owner);
        if (last != null) {
            boolean lost = !last.state().isValid();
            last.release();
            if (lost) {
                requireHeld(last);
            }
        }
    }

    private synchronized @Nullable Lease leave(Object owner) {
        Entry entry = entries.get(owner);
        Lease lease = entry == null ? null : entry.lease();
        if (entry == null || lease == null) {
            throw new IllegalMonitorStateException("'" + owner + "' does not hold '" + lock.resource()
                    + "'; only the owner that acquired it can release it");
        }
        entry.depth--;
        if (entry.depth > 0) {
            return null;
        }
        entries.remove(owner);
        return lease;
    }

    /** The lease of an owner that has the lock, which may be lost; empty if it has not. */
    @Override
    public synchronized Optional<Lease> lease(Object owner) {
        Entry entry = entries.get(owner);
        return entry == null ? Optional.empty() : Optional.ofNullable(entry.lease());
    }

    /** How often the owner has to release it until it is given up; 0 if it does not have it. */
    @Override
    public synchronized int depth(Object owner) {
        Entry entry = entries.get(owner);
        return entry == null || entry.lease() == null ? 0 : entry.depth;
    }

    /** Takes the lease of an owner who has it, without releasing it. */
    synchronized Lease withdraw(Object owner) {
        Entry entry = entries.remove(owner);
        Lease lease = entry == null ? null : entry.lease();
        if (lease == null) {
            throw new IllegalStateException("'" + owner + "' has no lease to take");
        }
        return lease;
    }

    /** From now on the owner is inside with this lease, so deep. */
    synchronized void admit(Object owner, Lease lease, int depth) {
        Entry entry = new Entry(null);
        entry.lease = lease;
        entry.depth = depth;
        entries.put(owner, entry);
    }

    /** Throws where the lease is lost; it asks nobody. */
    private static void requireHeld(Lease lease) {
        if (!lease.state().isValid()) {
            lease.ensureValidFor(Duration.ofMillis(1));
        }
    }

    @Override
    public String toString() {
        return "OwnedLock[" + lock.resource() + "]";
    }
}
