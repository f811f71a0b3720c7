package io.holdfast.benchmarks.contestant;

import java.net.URI;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Integration's lock registry on one node; waiters are notified by pub/sub, or poll. */
public final class SpringLocks implements Contestant {

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    public SpringLocks(String uri, RedisLockRegistry.RedisLockType kind) {
        URI address = URI.create(uri);
        this.connections = new LettuceConnectionFactory(address.getHost(), address.getPort());
        connections.afterPropertiesSet();
        connections.start();
        this.registry = new RedisLockRegistry(connections, "benchmark");
        registry.setRedisLockType(kind);
    }

    @Override
    public Runnable acquire(String resource) {
        Lock lock = registry.obtain(resource);
        lock.lock();
        return lock::unlock;
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
