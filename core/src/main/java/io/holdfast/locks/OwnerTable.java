package io.holdfast.locks;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The owners of one re-entrant lock: each waits for the lock, or holds it to some depth. Thread-safe. */
final class OwnerTable {

    private final String resource;
    private final Map<Object, Entry> entries = new HashMap<>();

    OwnerTable(String resource) {
        this.resource = resource;
    }

    /** The state of one owner. It has no lease while the owner waits. */
    static final class Entry {

        final Object owner;
        /** The future that the owner received; null if the owner blocks, or was admitted with a lease. */
        private final @Nullable CompletableFuture<?> wanted;

        private @Nullable Lease lease;
        private int depth;

        Entry(Object owner, @Nullable CompletableFuture<?> wanted) {
            this.owner = owner;
            this.wanted = wanted;
        }

        /** Returns the lease that was granted. */
        Lease granted() {
            return Objects.requireNonNull(lease);
        }

        /** Returns the lease of a holder. An owner becomes a holder when its future has the lease, and no earlier. */
        private @Nullable Lease lease() {
            return wanted == null || hasDelivered(wanted) ? lease : null;
        }

        /** The caller may have completed the future with something else. */
        private boolean hasDelivered(CompletableFuture<?> future) {
            if (lease == null || !future.isDone() || future.isCompletedExceptionally()) {
                return false;
            }
            return future.getNow(null) instanceof OwnedLease result && lease.equals(result.lease());
        }

        /** Returns {@code true} if the owner has ended the wait itself; a lease that is still granted is not for it. */
        private boolean isAbandoned() {
            return wanted != null && wanted.isDone() && lease() == null;
        }
    }

    /**
     * Increases the depth of an owner that holds the lock, or makes it a waiter with this entry.
     *
     * @return the entry of the owner: of a holder the one that has the lease, else the given one
     * @throws IllegalStateException if the owner waits already
     * @throws LeaseLostException if the owner has lost the lock
     */
    synchronized Entry enter(Entry next) {
        Object owner = next.owner;
        Entry entry = entries.get(owner);
        if (entry == null || entry.isAbandoned()) {
            entries.put(owner, next);
            return next;
        }
        Lease lease = entry.lease();
        if (lease == null) {
            throw new IllegalStateException("'" + owner + "' waits for '" + resource
                    + "' already; an owner does one thing at a time: give each task an owner of its own");
        }
        LeaseChecks.require(lease);
        entry.depth++;
        return entry;
    }

    /**
     * Ends the wait of an owner. Has no effect on another entry, with which an owner that has ended this wait itself
     * waits or holds the lock.
     *
     * @param lease the lease that was granted; null if there is none
     */
    synchronized void settle(Entry entry, @Nullable Lease lease) {
        if (lease == null) {
            remove(entry);
        } else {
            entry.lease = lease;
            entry.depth = 1;
        }
    }

    /** Removes the entry also if the hash of its owner has changed, such as that of an entity that was stored. */
    private void remove(Entry entry) {
        if (!entries.remove(entry.owner, entry)) {
            entries.values().remove(entry);
        }
    }

    /**
     * Reduces the depth of an owner by one.
     *
     * @return the lease to release, if the depth is zero now; otherwise null
     * @throws IllegalMonitorStateException if the owner does not hold the lock
     */
    synchronized @Nullable Lease leave(Object owner) {
        Entry entry = entries.get(owner);
        Lease lease = entry == null ? null : entry.lease();
        if (entry == null || lease == null) {
            throw new IllegalMonitorStateException(
                    "'" + owner + "' does not hold '" + resource + "'; only the owner that acquired it can release it");
        }
        return leave(entry);
    }

    /**
     * Reduces the depth as {@link #leave(Object)} does, unless it is zero. Needs neither the hash of the owner nor its
     * future, which the owner may have changed.
     */
    synchronized @Nullable Lease leave(Entry entry) {
        if (entry.depth == 0) {
            return null;
        }
        entry.depth--;
        if (entry.depth > 0) {
            return null;
        }
        remove(entry);
        return entry.lease;
    }

    /** Returns the lease of a holder; null if the owner does not hold the lock. */
    synchronized @Nullable Lease lease(Object owner) {
        Entry entry = entries.get(owner);
        return entry == null ? null : entry.lease();
    }

    /** Returns the depth of a holder; 0 if the owner does not hold the lock. */
    synchronized int depth(Object owner) {
        Entry entry = entries.get(owner);
        return entry == null || entry.lease() == null ? 0 : entry.depth;
    }

    /**
     * Removes a holder and returns its lease.
     *
     * @throws IllegalStateException if the owner does not hold the lock
     */
    synchronized Lease withdraw(Object owner) {
        Entry entry = entries.remove(owner);
        Lease lease = entry == null ? null : entry.lease();
        if (lease == null) {
            throw new IllegalStateException("'" + owner + "' has no lease to withdraw");
        }
        return lease;
    }

    /** Makes the owner a holder with this lease and this depth. */
    synchronized void admit(Object owner, Lease lease, int depth) {
        Entry entry = new Entry(owner, null);
        entry.lease = lease;
        entry.depth = depth;
        entries.put(owner, entry);
    }
}
