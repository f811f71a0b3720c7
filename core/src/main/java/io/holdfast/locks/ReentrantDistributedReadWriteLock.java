package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed read-write lock behind the interface of {@code java.util.concurrent}: many threads read at once, or one
 * thread writes. Both sides are {@link ReentrantDistributedLock}s; see there for the waits, the loss of a lock and the
 * memory effects.
 *
 * <p>Writers do not starve: no thread begins to read while a writer has waited for longer. A thread that holds the
 * write lock may lock the read lock as well, and keeps it when it unlocks the write lock: its lease is then {@linkplain
 * Lease#downgrade shared}, without a gap. A thread that holds the read lock must unlock it before it locks the write
 * lock, since two such threads would wait for each other. Otherwise all methods of the write lock that acquire throw
 * {@link IllegalStateException}.
 *
 * <p>Thread-safe.
 */
public final class ReentrantDistributedReadWriteLock implements ReadWriteLock {

    private final String resource;
    private final OwnedLock exclusive;
    private final OwnedLock shared;
    /** The depth of the read lock, for owners that hold the write lock. */
    private final Map<Object, Integer> readsOfWriters = new HashMap<>();

    private final ReentrantDistributedLock read;
    private final ReentrantDistributedLock write;

    private ReentrantDistributedReadWriteLock(DistributedLock lock) {
        this.resource = lock.resource();
        this.exclusive = OwnedLock.of(lock);
        this.shared = OwnedLock.of(lock.shared());
        Time time = LockInternals.time(lock);
        this.read = new ReentrantDistributedLock(new ReadSide(), "ReadLock[" + resource + "]", time);
        this.write = new ReentrantDistributedLock(new WriteSide(), "WriteLock[" + resource + "]", time);
    }

    /**
     * Returns a lock that no thread owns yet in this object: keep it in a field. Does not ask the nodes.
     *
     * @param lock in its exclusive mode, as {@link Holdfast#lock(String)} returns it
     * @throws IllegalArgumentException if the lock is in shared mode, in which two threads could write at once
     */
    public static ReentrantDistributedReadWriteLock of(DistributedLock lock) {
        if (lock.isShared()) {
            throw new IllegalArgumentException("The lock '" + lock.resource()
                    + "' is in shared mode, in which two threads could write at once; give the lock without shared()");
        }
        return new ReentrantDistributedReadWriteLock(lock);
    }

    /** Returns the lock of the readers; the same object each time. */
    @Override
    public ReentrantDistributedLock readLock() {
        return read;
    }

    /** Returns the lock of the writers; the same object each time. */
    @Override
    public ReentrantDistributedLock writeLock() {
        return write;
    }

    private synchronized int readsOfWriter(Object owner) {
        return readsOfWriters.getOrDefault(owner, 0);
    }

    private synchronized void changeReadsOfWriter(Object owner, int difference) {
        readsOfWriters.merge(owner, difference, (before, change) -> before + change == 0 ? null : before + change);
    }

    private synchronized void removeReadsOfWriter(Object owner) {
        readsOfWriters.remove(owner);
    }

    /** A thread that holds the write lock also has read access; its read locks need no lease of their own. */
    private final class ReadSide implements ReentrantOwner {

        @Override
        public boolean enter(Object owner, Duration waitLimit) throws InterruptedException {
            Optional<Lease> lease = exclusive.lease(owner);
            if (lease.isEmpty()) {
                return shared.by(owner).tryAcquire(waitLimit).isPresent();
            }
            LeaseChecks.require(lease.get());
            changeReadsOfWriter(owner, 1);
            return true;
        }

        @Override
        public void release(Object owner) {
            if (readsOfWriter(owner) > 0) {
                changeReadsOfWriter(owner, -1);
            } else {
                shared.release(owner);
            }
        }

        @Override
        public Optional<Lease> lease(Object owner) {
            return readsOfWriter(owner) > 0 ? exclusive.lease(owner) : shared.lease(owner);
        }

        @Override
        public int depth(Object owner) {
            return readsOfWriter(owner) + shared.depth(owner);
        }
    }

    private final class WriteSide implements ReentrantOwner {

        @Override
        public boolean enter(Object owner, Duration waitLimit) throws InterruptedException {
            requireNoReader(owner);
            return exclusive.by(owner).tryAcquire(waitLimit).isPresent();
        }

        private void requireNoReader(Object owner) {
            if (shared.depth(owner) > 0) {
                throw new IllegalStateException("'" + owner + "' reads under '" + resource
                        + "', and would wait for itself; unlock the read lock before the write lock is locked");
            }
        }

        /** An owner that also reads continues with a shared lease. */
        @Override
        public void release(Object owner) {
            int reads = readsOfWriter(owner);
            if (exclusive.depth(owner) != 1 || reads == 0) {
                exclusive.release(owner);
                return;
            }
            Lease lease = exclusive.owners().withdraw(owner);
            removeReadsOfWriter(owner);
            shared.owners().admit(owner, lease, reads);
            lease.downgrade();
        }

        @Override
        public Optional<Lease> lease(Object owner) {
            return exclusive.lease(owner);
        }

        @Override
        public int depth(Object owner) {
            return exclusive.depth(owner);
        }
    }

    @Override
    public String toString() {
        return "ReentrantDistributedReadWriteLock[" + resource + "]";
    }
}
