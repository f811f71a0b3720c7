package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import java.util.Collection;
import java.util.List;

/**
 * The factories of all composed locks: the one place to look for a semaphore, a read-write lock, a re-entrant lock, a set of locks or an
 * election.
 *
 * <p>They are here and not methods of {@link Holdfast}, because this package is built on that one: if {@code Holdfast} named these classes,
 * the packages would depend on each other in a circle.
 *
 * <p>No method asks the nodes, except that {@link #election} begins to wait for its lock.
 */
public final class Locks {

    private Locks() {}

    /**
     * Returns a semaphore with the default options.
     *
     * @param name the common part of the names of the slots
     * @param permits from 1 to 1000; the same number for all clients
     * @throws IllegalArgumentException if the number of permits is out of range, or if the name is not valid
     */
    public static DistributedSemaphore semaphore(Holdfast holdfast, String name, int permits) {
        return DistributedSemaphore.of(holdfast, name, permits);
    }

    /**
     * Returns a semaphore.
     *
     * @param name the common part of the names of the slots
     * @param permits from 1 to 1000; the same number for all clients
     * @param options of each slot
     * @throws IllegalArgumentException if the number of permits is out of range, if the name is not valid, or if the lease is longer
     *     than {@link HoldfastOptions#maxLease}
     */
    public static DistributedSemaphore semaphore(Holdfast holdfast, String name, int permits, LockOptions options) {
        return DistributedSemaphore.of(holdfast, name, permits, options);
    }

    /**
     * Returns a set of locks with the default options.
     *
     * @param names at least one; a name that is given twice counts once
     * @throws IllegalArgumentException if there is no name, or if a name is not valid
     */
    public static MultiLock multiLock(Holdfast holdfast, String... names) {
        return MultiLock.of(holdfast, List.of(names));
    }

    /**
     * Returns a set of locks.
     *
     * @param names at least one; a name that is given twice counts once
     * @param options of each lock, except that the wait limit covers the whole set
     * @throws IllegalArgumentException if there is no name, if a name is not valid, or if the lease is longer than {@link
     *     HoldfastOptions#maxLease}
     */
    public static MultiLock multiLock(Holdfast holdfast, Collection<String> names, LockOptions options) {
        return MultiLock.of(holdfast, names, options);
    }

    /**
     * Returns a read-write lock of threads with the default options: keep it in a field.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    public static ReentrantDistributedReadWriteLock readWriteLock(Holdfast holdfast, String name) {
        return readWriteLock(holdfast, name, LockOptions.DEFAULT);
    }

    /**
     * Returns a read-write lock of threads: keep it in a field.
     *
     * @param options of both sides, except that the methods of the lock say themselves how long they wait
     * @throws IllegalArgumentException if the name is not valid, or if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public static ReentrantDistributedReadWriteLock readWriteLock(Holdfast holdfast, String name, LockOptions options) {
        return ReentrantDistributedReadWriteLock.of(holdfast.lock(name, options));
    }

    /** Returns a lock with the interface of {@code java.util.concurrent}, which threads own: keep it in a field. */
    public static ReentrantDistributedLock reentrantLock(DistributedLock lock) {
        return ReentrantDistributedLock.of(lock);
    }

    /** Returns a re-entrant lock whose owners the callers name: keep it in a field. */
    public static OwnedLock ownedLock(DistributedLock lock) {
        return OwnedLock.of(lock);
    }

    /**
     * Starts an election, whose leader is the candidate that holds the lock. Does not block; ends when it is closed.
     *
     * @throws IllegalArgumentException if the lock is shared
     * @throws IllegalStateException if the {@code Holdfast} is closed
     * @see LeaderElection#start
     */
    public static LeaderElection election(DistributedLock lock, LeaderElection.Candidate candidate) {
        return LeaderElection.start(lock, candidate);
    }

    /**
     * Starts an election with the default options. Does not block; ends when it is closed.
     *
     * @param name the name of the lock that the leader holds
     * @throws IllegalArgumentException if the name is not valid
     * @throws IllegalStateException if the {@code Holdfast} is closed
     * @see LeaderElection#start
     */
    public static LeaderElection election(Holdfast holdfast, String name, LeaderElection.Candidate candidate) {
        return LeaderElection.start(holdfast.lock(name), candidate);
    }
}
