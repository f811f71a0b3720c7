package io.holdfast.benchmarks.contestant;

import java.util.List;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with default options: {@code RLock} on one node, {@code RedissonRedLock} on several. */
public final class RedissonLocks implements Contestant {

    private final List<RedissonClient> clients;

    public RedissonLocks(List<String> uris) {
        this.clients = uris.stream()
                .map(uri -> {
                    Config config = new Config();
                    config.useSingleServer().setAddress(uri);
                    return Redisson.create(config);
                })
                .toList();
    }

    @SuppressWarnings("deprecation") // Redisson deprecates its Redlock but has no other one.
    @Override
    public Runnable acquire(String resource) {
        RLock[] locks = clients.stream().map(client -> client.getLock(resource)).toArray(RLock[]::new);
        RLock lock = locks.length == 1 ? locks[0] : new RedissonRedLock(locks);
        lock.lock();
        return lock::unlock;
    }

    @Override
    public void close() {
        clients.forEach(RedissonClient::shutdown);
    }
}
