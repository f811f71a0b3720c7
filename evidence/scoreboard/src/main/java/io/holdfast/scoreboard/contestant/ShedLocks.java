package io.holdfast.scoreboard.contestant;

import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

/** ShedLock's provider for Redis, which compares the owner on release. It does not wait, so this asks repeatedly. */
final class ShedLocks implements Contestant {

    private static final long POLL_MILLIS = 20;

    private final RedisLockProvider provider;
    private final Duration lockAtMostFor;

    ShedLocks(String uri, Duration lockAtMostFor) {
        this.provider = new RedisLockProvider.Builder(SpringLocks.connect(uri))
                .safeUpdate(true)
                .build();
        this.lockAtMostFor = lockAtMostFor;
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) throws InterruptedException {
        while (true) {
            Optional<SimpleLock> lock =
                    provider.lock(new LockConfiguration(ClockProvider.now(), resource, lockAtMostFor, Duration.ZERO));
            if (lock.isPresent()) {
                return Hold.withoutToken(lock.get()::unlock);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
