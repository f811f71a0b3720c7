package io.holdfast.spring.integration;

import io.holdfast.LockOptions;
import io.holdfast.spi.OuterLock;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The locks of another registry, which are held together with those of Holdfast. A time to live has an effect where
 * that registry knows one; null stands for that of the registry.
 */
record OtherLocks(LockRegistry<?> registry) {

    /** Returns the lock of a key for one acquisition. A registry may forget a lock that is not held. */
    OuterLock lock(String key, @Nullable Duration ttl, Time time) {
        Lock lock = registry.obtain(key);
        if (ttl == null || !(lock instanceof DistributedLock limited)) {
            return OuterLock.of(wait -> OuterLock.enter(lock, wait), lock::unlock, time);
        }
        Duration bounded = Durations.shorter(LockOptions.FOREVER, ttl);
        return OuterLock.of(wait -> enter(limited, wait, bounded), lock::unlock, time);
    }

    private static boolean enter(DistributedLock lock, Duration wait, Duration ttl) throws InterruptedException {
        if (wait.compareTo(LockOptions.FOREVER) < 0) {
            return lock.tryLock(wait, ttl);
        }
        lock.lock(ttl);
        return true;
    }

    void unlock(String key) {
        registry.obtain(key).unlock();
    }

    void renew(String key, @Nullable Duration ttl) {
        if (registry instanceof RenewableLockRegistry<?> renewable) {
            if (ttl == null) {
                renewable.renewLock(key);
            } else {
                renewable.renewLock(key, Durations.shorter(LockOptions.FOREVER, ttl));
            }
        }
    }

    void expireUnusedOlderThan(long age) {
        if (registry instanceof ExpirableLockRegistry<?> expirable) {
            expirable.expireUnusedOlderThan(age);
        }
    }
}
