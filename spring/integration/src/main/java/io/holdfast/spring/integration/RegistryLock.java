package io.holdfast.spring.integration;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.locks.OwnedLock;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of a registry. Has no state of its own beside the time of its last use. */
final class RegistryLock implements DistributedLock {

    private final LocksInUse inUse;
    private final String name;
    private final LockOptions options;
    private volatile long usedNanos = System.nanoTime();

    RegistryLock(LocksInUse inUse, String name, LockOptions options) {
        this.inUse = inUse;
        this.name = name;
        this.options = options;
    }

    String name() {
        return name;
    }

    boolean isOlderThan(long ageNanos, long nowNanos) {
        return nowNanos - usedNanos >= ageNanos;
    }

    @Override
    public void lock() {
        lock(options.holdLimit());
    }

    @Override
    public void lock(Duration ttl) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    acquire(patient(ttl), ttl);
                    return;
                } catch (InterruptedException e) {
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
    public void lockInterruptibly() throws InterruptedException {
        acquire(patient(options.holdLimit()), options.holdLimit());
    }

    @Override
    public boolean tryLock() {
        try {
            return tryLock(Duration.ZERO, options.holdLimit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), options.holdLimit());
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        Duration wait = Durations.shorter(LockOptions.FOREVER, Durations.longer(Duration.ZERO, waitTime));
        return acquire(bounded(ttl).toBuilder().waitLimit(wait).build(), ttl);
    }

    private LockOptions patient(Duration ttl) {
        return bounded(ttl).toBuilder().waitLimit(LockOptions.FOREVER).build();
    }

    private LockOptions bounded(Duration ttl) {
        LockOptions shortened = options.toBuilder()
                .lease(Durations.shorter(options.lease(), ttl))
                .holdLimit(LockOptions.FOREVER)
                .build();
        return shortened.toBuilder()
                .holdLimit(HoldLimits.after(ttl, shortened.margin(), options))
                .build();
    }

    /** Returns {@code false} if another holder had the lock until the wait limit was over. */
    private boolean acquire(LockOptions with, Duration ttl) throws InterruptedException {
        OwnedLock lock = inUse.enter(name);
        boolean acquired = false;
        try {
            Thread owner = Thread.currentThread();
            Lease lease = lock.by(owner).acquire(with).lease();
            acquired = true;
            usedNanos = System.nanoTime();
            if (lock.depth(owner) > 1) {
                restart(lease, HoldLimits.after(ttl, lease.lossMargin(), options));
            } else {
                // Without a release, the nodes would keep the lock until the lease ends, also beyond a shorter limit.
                lease.onLost(loss -> lease.releaseAsync());
            }
        } catch (LockTimeoutException held) {
            return false;
        } catch (HoldfastException e) {
            throw new CannotAcquireLockException("Failed to lock mutex at " + name, e);
        } finally {
            if (!acquired) {
                inUse.leave(name);
            }
        }
        return true;
    }

    /** A loss at this moment shows at the next use of the lock. */
    private static void restart(Lease lease, Duration limit) {
        try {
            lease.limit(limit);
        } catch (LeaseLostException e) {
            // The thread is inside all the same, and its unlock reports the loss.
        }
    }

    @Override
    public void unlock() {
        OwnedLock lock = inUse.get(name).orElseThrow(this::notOwner);
        boolean left = true;
        try {
            lock.release(Thread.currentThread());
        } catch (IllegalMonitorStateException e) {
            left = false;
            throw notOwner();
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost = new ConcurrentModificationException("The lock at " + name
                    + " was lost before it was released. The integrity of data protected by this lock may "
                    + "have been compromised.");
            lost.initCause(e);
            throw lost;
        } finally {
            if (left) {
                inUse.leave(name);
            }
        }
    }

    private IllegalStateException notOwner() {
        return new IllegalStateException("You do not own lock at " + name);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Conditions are not supported");
    }

    @Override
    public String toString() {
        return "RegistryLock[" + name + "]";
    }
}
