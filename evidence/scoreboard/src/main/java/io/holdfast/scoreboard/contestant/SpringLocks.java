package io.holdfast.scoreboard.contestant;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's lock registry, with renewal, and waiters that are notified. */
final class SpringLocks implements Contestant {

    private final RedisLockRegistry registry;

    SpringLocks(String uri, Duration lease) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.initialize();
        this.registry = new RedisLockRegistry(connect(uri), "scoreboard", lease.toMillis());
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        registry.setRenewalTaskScheduler(scheduler);
    }

    static LettuceConnectionFactory connect(String uri) {
        URI address = URI.create(uri);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(address.getHost(), address.getPort());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) {
        Lock lock = registry.obtain(resource);
        lock.lock();
        return Hold.withoutToken(lock::unlock);
    }
}
