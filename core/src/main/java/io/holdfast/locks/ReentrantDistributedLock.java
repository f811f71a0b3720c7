package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.spi.LockInternals;
import io.holdfast.spi.OuterLock;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock behind the interface {@link Lock} of {@code java.util.concurrent}: re-entrant, and owned by a
 * thread, which may be a virtual one. Threads of one process exclude each other as threads of different processes do.
 *
 * <p>The interface has no means to report that a lock was lost, which a distributed lock can be. Therefore {@link
 * #unlock()} throws {@link LeaseLostException}. Code that must know earlier, or that needs a fencing token, asks for
 * the {@link #lease()}. If a thread ends without unlocking, the lock stays locked until the {@link Holdfast} is closed.
 *
 * <p>Each method says itself how long it waits, as {@link Lock} demands, for a holder as well as for nodes; {@link
 * LockOptions#waitLimit} has no effect. If too few nodes answer until that wait is over, or can vote until an
 * administrator changes something, the method throws {@link QuorumUnreachableException}, since that is not contention.
 *
 * <p>Re-entrance is known to one object only: keep it in a field. Two objects for one name share no state, and a thread
 * that locks both waits for itself. Memory effects are those of {@link Lock} for threads of one process; see {@link
 * DistributedLock} for others.
 *
 * <p>Thread-safe.
 */
public final class ReentrantDistributedLock implements Lock {

    private final ReentrantOwner lock;
    private final String description;
    private final Time time;

    ReentrantDistributedLock(ReentrantOwner lock, String description, Time time) {
        this.lock = lock;
        this.description = description;
        this.time = time;
    }

    /** Returns a lock that no thread owns yet in this object: keep it in a field. Does not ask the nodes. */
    public static ReentrantDistributedLock of(DistributedLock lock) {
        return new ReentrantDistributedLock(
                ReentrantOwner.of(OwnedLock.of(lock)),
                "ReentrantDistributedLock[" + lock.resource() + "]",
                LockInternals.time(lock));
    }

    /**
     * Returns this lock together with one of another library or of other nodes, for a migration without a stop:
     * threads that use one of the two exclude those that use both. The other lock is locked first and unlocked last.
     *
     * <p>The time of {@link #tryLock(long, TimeUnit)} is for both. If this lock is refused or fails, the other one is
     * unlocked again. {@link #unlock()} unlocks both in any case. The loss of either is a loss: it then throws {@link
     * LeaseLostException}, or what the other lock throws. What this class says about the lease, the depth and the
     * thread is about this lock.
     *
     * <p>Keep the returned object in a field, and use it instead of this one. Does not ask the nodes.
     *
     * @param other re-entrant, such as Redisson's {@code RLock}; if it uses the same server, it needs another name
     */
    public ReentrantDistributedLock alongside(Lock other) {
        OuterLock outer = OuterLock.of(wait -> OuterLock.enter(other, wait), other::unlock, time);
        return new ReentrantDistributedLock(lock.within(outer), description + " alongside " + other, time);
    }

    /**
     * Waits for the lock without limit. An interrupt does not end the wait; the thread's interrupt status is set on
     * return. An interrupted thread requests the lock again, behind the threads that wait by then.
     *
     * @throws QuorumUnreachableException if too few nodes can vote until an administrator changes something
     * @throws LeaseLostException if this thread held the lock and has lost it
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    @Override
    public void lock() {
        ThreadWait.throughInterrupts(() -> lock.enter(me(), LockOptions.FOREVER));
    }

    /**
     * Waits for the lock without limit, unless the thread is interrupted.
     *
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws QuorumUnreachableException if too few nodes can vote until an administrator changes something
     * @throws LeaseLostException if this thread held the lock and has lost it
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNoInterrupt();
        lock.enter(me(), LockOptions.FOREVER);
    }

    /**
     * Takes the lock if it is free or this thread holds it, without waiting for a holder. Blocks as {@link
     * DistributedLock#tryAcquire()} does. An interrupt has no effect; the thread's interrupt status is set on return.
     *
     * @return {@code true} if this thread holds the lock now
     * @throws QuorumUnreachableException if too few nodes voted
     * @throws LeaseLostException if this thread held the lock and has lost it
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    @Override
    public boolean tryLock() {
        return ThreadWait.throughInterrupts(() -> lock.enter(me(), Duration.ZERO));
    }

    /**
     * Waits for the lock at most this long, unless the thread is interrupted.
     *
     * @param time zero or less: does not wait for a holder
     * @return {@code true} if this thread holds the lock now
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws QuorumUnreachableException if too few nodes voted until the time was over
     * @throws LeaseLostException if this thread held the lock and has lost it
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireNoInterrupt();
        return lock.enter(me(), limit(time, unit));
    }

    private static Duration limit(long time, TimeUnit unit) {
        // A conversion by TimeUnit ends at the longest time in place of an overflow.
        Duration wait = Duration.ofNanos(unit.toNanos(Math.max(0, time)));
        return Durations.shorter(wait, LockOptions.FOREVER);
    }

    /**
     * Reduces the hold count by one, and releases the lock when it is zero. The last release waits for the nodes as
     * {@link Lease#release()} does.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock; nothing is released then
     * @throws LeaseLostException at the last release, if the lease was lost before: another holder may have been inside
     *     as well
     */
    @Override
    public void unlock() {
        lock.release(me());
    }

    /**
     * Not supported: the threads that wait and signal may be on different machines.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "A distributed lock has no conditions; let each waiter acquire the lock and check its condition");
    }

    /**
     * Returns the lease of this thread, with its fencing token, even if it is lost; empty if this thread does not hold
     * the lock.
     */
    public Optional<Lease> lease() {
        return lock.lease(me());
    }

    /** Returns {@code true} if this thread holds the lock at this moment and its lease is valid. No round trip. */
    public boolean isHeldByCurrentThread() {
        return lease().filter(Lease::isValid).isPresent();
    }

    /** Returns the number of times that this thread must unlock to release the lock; 0 if it does not hold the lock. */
    public int holdCount() {
        return lock.depth(me());
    }

    private static Thread me() {
        return Thread.currentThread();
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public String toString() {
        return description;
    }
}
