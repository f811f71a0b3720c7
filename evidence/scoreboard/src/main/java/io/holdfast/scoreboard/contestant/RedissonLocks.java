package io.holdfast.scoreboard.contestant;

import java.time.Duration;
import java.util.OptionalLong;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock} or {@code RFencedLock}, which its watchdog renews. */
final class RedissonLocks implements Contestant {

    private final RedissonClient client;
    private final boolean fenced;

    RedissonLocks(String uri, Duration lease, boolean fenced) {
        Config config = new Config().setLockWatchdogTimeout(lease.toMillis());
        config.useSingleServer().setAddress(uri);
        this.client = Redisson.create(config);
        this.fenced = fenced;
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) {
        if (fenced) {
            RFencedLock lock = client.getFencedLock(resource);
            return new Hold(OptionalLong.of(lock.lockAndGetToken()), lock::unlock);
        }
        RLock lock = client.getLock(resource);
        lock.lock();
        return Hold.withoutToken(lock::unlock);
    }
}
