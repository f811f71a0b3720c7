package io.holdfast.locks;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A re-entrant lock whose owner the caller names: a request, a task, an actor, anything that moves from one thread to
 * another. An owner that holds the lock acquires it again at once. The lock is released when the owner has released it
 * as often as it acquired it: each acquisition once, by closing what it granted or by {@link #release}.
 *
 * <p>Owners are compared by {@code equals}, and only within one object of this class: keep it in a field, since two of
 * them share no state. An owner does one thing at a time: while it waits, every further acquisition by it fails.
 *
 * <p>Memory effects are those of a {@link DistributedLock}; an acquisition and a release that change only the depth
 * have none.
 *
 * <p>Thread-safe.
 *
 * @see ReentrantDistributedLock for owners that are threads
 */
public final class OwnedLock {

    private final DistributedLock lock;
    private final OwnerTable owners;

    private OwnedLock(DistributedLock lock) {
        this.lock = lock;
        this.owners = new OwnerTable(lock.resource());
    }

    /** Returns a lock that has no owner yet in this object: keep it in a field. Does not ask the nodes. */
    public static OwnedLock of(DistributedLock lock) {
        return new OwnedLock(lock);
    }

    /**
     * Returns this lock for one owner. What it grants is one level of the depth; {@link Acquirable#call} and {@link
     * Acquirable#run} release one level. Does not ask the nodes, and need not be kept.
     *
     * <p>While the owner holds the lock, an acquisition is granted at once, whatever wait limit or options it is
     * given. It fails with {@link LeaseLostException} if that lease was lost, and with {@link IllegalStateException}
     * while the owner waits for the lock.
     */
    public Acquirable<OwnedLease> by(Object owner) {
        // All tasks without an owner would share the lock.
        return new ByOwner(Objects.requireNonNull(owner, "owner is null; give each task an owner of its own"));
    }

    private final class ByOwner implements Acquirable<OwnedLease> {

        private final Object owner;

        ByOwner(Object owner) {
            this.owner = owner;
        }

        @Override
        public LockOptions options() {
            return lock.options();
        }

        @Override
        public OwnedLease acquire(LockOptions with) throws InterruptedException {
            OwnerTable.Entry next = new OwnerTable.Entry(owner, null);
            OwnerTable.Entry entry = owners.enter(next);
            if (entry.equals(next)) {
                Lease lease = null;
                try {
                    lease = lock.acquire(with);
                } finally {
                    owners.settle(next, lease);
                }
            }
            return new OwnedLease(owners, entry);
        }

        @Override
        public CompletableFuture<OwnedLease> acquireAsync(LockOptions with) {
            CompletableFuture<OwnedLease> wanted = new CompletableFuture<>();
            OwnerTable.Entry next = new OwnerTable.Entry(owner, wanted);
            try {
                OwnerTable.Entry entry = owners.enter(next);
                if (!entry.equals(next)) {
                    return CompletableFuture.completedFuture(new OwnedLease(owners, entry));
                }
            } catch (LeaseLostException | IllegalStateException refused) {
                return CompletableFuture.failedFuture(refused);
            }
            CompletableFuture<Lease> request = send(next, with);
            wanted.whenComplete((result, failure) -> request.cancel(true));
            request.whenComplete((lease, failure) -> {
                owners.settle(next, lease);
                if (lease == null) {
                    wanted.completeExceptionally(failure);
                } else if (!wanted.complete(new OwnedLease(owners, next))) {
                    owners.settle(next, null);
                    lease.releaseAsync();
                }
            });
            return wanted;
        }

        private CompletableFuture<Lease> send(OwnerTable.Entry entry, LockOptions with) {
            try {
                return lock.acquireAsync(with);
            } catch (RuntimeException | Error refused) {
                owners.settle(entry, null);
                throw refused;
            }
        }

        @Override
        public String toString() {
            return OwnedLock.this + " by " + owner;
        }
    }

    /**
     * Reduces the depth of the owner by one, and releases the lock when the depth is zero. The last release waits for
     * the nodes as {@link Lease#release()} does.
     *
     * @throws IllegalMonitorStateException if this owner does not hold the lock; nothing is released then
     * @throws LeaseLostException at the last release, if the lease was lost before: another holder may have been
     *     inside as well
     */
    public void release(Object owner) {
        Lease last = owners.leave(owner);
        if (last != null) {
            LeaseChecks.release(last);
        }
    }

    /**
     * Returns the lease of an owner that holds the lock, even if that lease is lost; empty if the owner does not hold
     * the lock.
     */
    public Optional<Lease> lease(Object owner) {
        return Optional.ofNullable(owners.lease(owner));
    }

    /** Returns {@code true} if the owner holds the lock at this moment and its lease is valid. No round trip. */
    public boolean isHeld(Object owner) {
        return lease(owner).filter(Lease::isValid).isPresent();
    }

    /**
     * Returns the number of releases by the owner after which the lock is released; 0 if the owner does not hold the
     * lock.
     */
    public int depth(Object owner) {
        return owners.depth(owner);
    }

    /** Returns the owners, for a lock that moves a lease from one mode to the other. */
    OwnerTable owners() {
        return owners;
    }

    @Override
    public String toString() {
        return "OwnedLock[" + lock.resource() + "]";
    }
}
