package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed read-write lock behind the interface of {@code java.util.concurrent}: many read at once, one writes alone. Both sides
 * are {@link ReentrantDistributedLock}s, with all that is said there.
 *
 * <p>Writers do not starve: nobody begins to read while a writer has waited for longer. A thread that writes may read as well, and
 * goes on reading when it has ended to write: its lock is then {@linkplain Lease#downgrade shared}, with nobody in between. A thread
 * that reads may not begin to write, since two that tried would wait for each other for ever: it has to end to read first.
 */
public final class ReentrantDistributedReadWriteLock implements ReadWriteLock {

    private final String resource;
    private final OwnedLock alone;
    private final OwnedLock shared;
    /** How deep those who write are inside as readers. */
    private final Map<Object, Integer> readsOfWriters = new HashMap<>();

    private final ReentrantDistributedLock read = new ReentrantDistributedLock(new ReadSide());
    private final ReentrantDistributedLock write = new ReentrantDistributedLock(new WriteSide());

    private ReentrantDistributedReadWriteLock(DistributedLock lock) {
        this.resource = lock.resource();
        this.alone = OwnedLock.of(lock);
        this.shared = OwnedLock.of(lock.shared());
    }

    /** A lock in which no thread is yet, as far as this object knows: keep it, as with a {@link ReentrantDistributedLock}. */
    public static ReentrantDistributedReadWriteLock of(DistributedLock lock) {
        return new ReentrantDistributedReadWriteLock(lock);
    }

    @Override
    public ReentrantDistributedLock readLock() {
        return read;
    }

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

    private synchronized void forgetReadsOfWriter(Object owner) {
        readsOfWriters.remove(owner);
    }

    /** What whoever writes reads is covered by the lock that it has. */
    private final class ReadSide implements ReentrantOwner {

        @Override
        public Lease acquire(Object owner, Duration waitLimit) throws InterruptedException {
            Optional<Lease> covered = covered(owner);
            return covered.isPresent() ? covered.get() : shared.acquire(owner, waitLimit);
        }

        @Override
        public Optional<Lease> tryAcquire(Object owner) throws InterruptedException {
            Optional<Lease> covered = covered(owner);
            return covered.isPresent() ? covered : shared.tryAcquire(owner);
        }

        private Optional<Lease> covered(Object owner) {
            Optional<Lease> lease = alone.lease(owner);
            if (lease.isPresent()) {
                lease.get().ensureValidFor(Duration.ofMillis(1));
                changeReadsOfWriter(owner, 1);
            }
            return lease;
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
            return readsOfWriter(owner) > 0 ? alone.lease(owner) : shared.lease(owner);
        }

        @Override
        public int depth(Object owner) {
            return readsOfWriter(owner) + shared.depth(owner);
        }

        @Override
        public String toString() {
            return "Reading[" + resource + "]";
        }
    }

    private final class WriteSide implements ReentrantOwner {

        @Override
        public Lease acquire(Object owner, Duration waitLimit) throws InterruptedException {
            requireNoReader(owner);
            return alone.acquire(owner, waitLimit);
        }

        @Override
        public Optional<Lease> tryAcquire(Object owner) throws InterruptedException {
            requireNoReader(owner);
            return alone.tryAcquire(owner);
        }

        private void requireNoReader(Object owner) {
            if (shared.depth(owner) > 0) {
                throw new IllegalStateException("'" + owner + "' reads under '" + resource
                        + "', and would wait for itself; unlock the read lock before the write lock is locked");
            }
        }

        /** Whoever still reads goes on reading, with others from now on. */
        @Override
        public void release(Object owner) {
            int reads = readsOfWriter(owner);
            if (alone.depth(owner) != 1 || reads == 0) {
                alone.release(owner);
                return;
            }
            Lease lease = alone.withdraw(owner);
            forgetReadsOfWriter(owner);
            shared.admit(owner, lease, reads);
            lease.downgrade();
        }

        @Override
        public Optional<Lease> lease(Object owner) {
            return alone.lease(owner);
        }

        @Override
        public int depth(Object owner) {
            return alone.depth(owner);
        }

        @Override
        public String toString() {
            return "Writing[" + resource + "]";
        }
    }
}
