package io.holdfast.spring.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** Another registry, which records what happens to its locks. */
final class OtherRegistry implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    final List<String> calls = new ArrayList<>();
    boolean isFree = true;

    private boolean record(String call) {
        calls.add(call);
        return isFree;
    }

    @Override
    public DistributedLock obtain(Object lockKey) {
        return new DistributedLock() {

            @Override
            public void lock() {
                throw new AssertionError("A wait that nothing can end");
            }

            @Override
            public void lock(Duration ttl) {
                record("lock " + ttl);
            }

            @Override
            public void lockInterruptibly() {
                record("lockInterruptibly");
            }

            @Override
            public boolean tryLock() {
                return record("tryLock");
            }

            @Override
            public boolean tryLock(long time, TimeUnit unit) {
                return record("tryLock " + Duration.ofNanos(unit.toNanos(time)));
            }

            @Override
            public boolean tryLock(Duration waitTime, Duration ttl) {
                return record("tryLock " + waitTime + " " + ttl);
            }

            @Override
            public void unlock() {
                record("unlock");
            }

            @Override
            public Condition newCondition() {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Override
    public void renewLock(Object lockKey) {
        record("renew");
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        record("renew " + ttl);
    }

    @Override
    public void expireUnusedOlderThan(long age) {
        record("expire " + age);
    }
}
