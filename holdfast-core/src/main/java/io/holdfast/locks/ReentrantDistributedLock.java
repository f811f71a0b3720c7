package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock behind the interface of {@code java.util.concurrent}: re-entrant, owned by a thread, virtual ones too. Threads of
 * one process exclude each other as those of different ones do.
 *
 * <p>The interface has no word for what a distributed lock can do: be lost. So {@link #unlock()} throws where it was, and what
 * needs to know earlier, or a fencing token, asks for the {@link #lease()}. A thread that ends without unlocking leaves the lock
 * locked until the {@code Holdfast} is closed.
 *
 * <p>Re-entrance is known to one object alone: keep it. Too few reachable nodes are no contention: every method that acquires throws
 * {@link QuorumUnreachableException} then, once the options' {@code unreachableLimit} is over.
 */
public final class ReentrantDistributedLock implements Lock {

    private final ReentrantOwner lock;

    ReentrantDistributedLock(ReentrantOwner lock) {
        this.lock = lock;
    }

    /** A lock that no thread owns yet in this object. Its {@code waitLimit} does not count: the methods say how long they wait. */
    public static ReentrantDistributedLock of(DistributedLock lock) {
        return new ReentrantDistributedLock(OwnedLock.of(lock));
    }

    private interface Attempt<T> {
        T run() throws InterruptedException;
    }

    /** {@inheritDoc} Waits for ever, through interrupts; an interrupt is kept for the caller to see. */
    @Override
    public void lock() {
        throughInterrupts(() -> lock.acquire(me(), LockOptions.FOREVER));
    }

    /** {@inheritDoc} Waits for ever; an interrupt ends the wait, and nothing is held then. */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNoInterrupt();
        lock.acquire(me(), LockOptions.FOREVER);
    }

    /** {@inheritDoc} One round, which takes the node timeout at most, and no wait for another holder. */
    @Override
    public boolean tryLock() {
        return throughInterrupts(() -> lock.tryAcquire(me())).isPresent();
    }

    /** {@inheritDoc} A time of zero or less is the same as {@link #tryLock()}, but for the interrupt. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireNoInterrupt();
        if (time <= 0) {
            return lock.tryAcquire(me()).isPresent();
        }
        try {
            lock.acquire(me(), limited(time, unit));
            return true;
        } catch (LockTimeoutException held) {
            return false;
        }
    }

    private static Duration limited(long time, TimeUnit unit) {
        Duration wait = Duration.of(time, unit.toChronoUnit());
        return wait.compareTo(LockOptions.FOREVER) < 0 ? wait : LockOptions.FOREVER;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock; whoever does keeps it
     * @throws LeaseLostException the last time, if the lease was lost before
     */
    @Override
    public void unlock() {
        lock.release(me());
    }

    /** Not to be had: those who wait and those who signal may be on different machines. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "A distributed lock has no conditions; let those who wait acquire the lock and look for themselves");
    }

    /** The lease of this thread, with its fencing token; it may be lost. Empty if this thread does not hold the lock. */
    public Optional<Lease> lease() {
        return lock.lease(me());
    }

    /** Whether this thread holds the lock, and its lease is not lost. */
    public boolean isHeldByCurrentThread() {
        return lease().filter(lease -> lease.state().isValid()).isPresent();
    }

    /** How often this thread has to unlock until the lock is given up; 0 if it does not hold it. */
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

    private static <T> T throughInterrupts(Attempt<T> attempt) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return attempt.run();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "Thread" + lock;
    }
}
