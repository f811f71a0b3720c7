package io.holdfast.spring.integration;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.locks.OwnedLock;
import io.holdfast.spi.OuterLock;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of a registry. Has no state of its own beside the time of its last use. */
final class RegistryLock implements DistributedLock {

    private final LocksInUse inUse;
    private final @Nullable OtherLocks other;
    private final String key;
    private final String name;
    private final LockOptions options;
    private volatile long usedNanos = System.nanoTime();

    RegistryLock(LocksInUse inUse, @Nullable OtherLocks other, String key, String name, LockOptions options) {
        this.inUse = inUse;
        this.other = other;
        this.key = key;
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
        lockUninterruptibly(null);
    }

    @Override
    public void lock(Duration ttl) {
        lockUninterruptibly(ttl);
    }

    private void lockUninterruptibly(@Nullable Duration ttl) {
        ThreadWait.throughInterrupts(() -> acquire(LockOptions.FOREVER, ttl));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(LockOptions.FOREVER, null);
    }

    @Override
    public boolean tryLock() {
        try {
            return acquire(Duration.ZERO, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return acquire(Duration.ofNanos(unit.toNanos(time)), null);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return acquire(waitTime, ttl);
    }

    /**
     * Returns {@code false} if another holder had a lock until the wait was over.
     *
     * @param ttl the time to live of the lock; null: that of the registry, or of the hold if this is a re-entry
     */
    private boolean acquire(Duration wait, @Nullable Duration ttl) throws InterruptedException {
        Duration bounded = Durations.shorter(LockOptions.FOREVER, Durations.longer(Duration.ZERO, wait));
        return other == null
                ? acquireOwn(bounded, ttl)
                : other.lock(key, ttl, inUse.time(name)).enter(bounded, rest -> acquireOwn(rest, ttl));
    }

    private boolean acquireOwn(Duration wait, @Nullable Duration ttl) throws InterruptedException {
        Duration hold = ttl == null ? inUse.ttl(name) : ttl;
        OwnedLock lock = inUse.enter(name);
        boolean acquired = false;
        try {
            Thread owner = Thread.currentThread();
            Lease lease = lock.by(owner).acquire(bounded(wait, hold)).lease();
            acquired = true;
            usedNanos = System.nanoTime();
            inUse.setTtl(name, hold);
            if (lock.depth(owner) > 1) {
                restart(lease, HoldLimits.after(hold, lease.lossMargin(), options));
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

    private LockOptions bounded(Duration wait, Duration hold) {
        LockOptions shortened = options.toBuilder()
                .lease(Durations.shorter(options.lease(), hold))
                .holdLimit(LockOptions.FOREVER)
                .waitLimit(wait)
                .build();
        return shortened.toBuilder()
                .holdLimit(HoldLimits.after(hold, shortened.margin(), options))
                .build();
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
        if (inUse.lease(name).isEmpty()) {
            throw notOwner();
        }
        if (other == null) {
            unlockOwn();
        } else {
            OuterLock.releaseBoth(this::unlockOwn, () -> other.unlock(key));
        }
    }

    private void unlockOwn() {
        OwnedLock lock = inUse.get(name).orElseThrow(this::notOwner);
        try {
            lock.release(Thread.currentThread());
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost = new ConcurrentModificationException("The lock at " + name
                    + " was lost before it was released. The integrity of data protected by this lock may "
                    + "have been compromised.");
            lost.initCause(e);
            throw lost;
        } finally {
            inUse.leave(name);
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
