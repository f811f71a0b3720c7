package io.holdfast.benchmarks.contestant;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's {@code InterProcessMutex} on ZooKeeper, with the defaults of Curator; all locks share one session. */
public final class CuratorLocks implements Contestant {

    private static final int RETRY_MILLIS = 100;
    private static final int RETRIES = 10;

    private final CuratorFramework client;
    private final Map<String, InterProcessMutex> locks = new ConcurrentHashMap<>();

    public CuratorLocks(List<String> uris) {
        String addresses = uris.stream().map(URI::create).map(URI::getAuthority).collect(Collectors.joining(","));
        this.client = CuratorFrameworkFactory.newClient(addresses, new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
        client.start();
    }

    @Override
    public Runnable acquire(String resource) throws Exception {
        InterProcessMutex lock = locks.computeIfAbsent(resource, name -> new InterProcessMutex(client, "/" + name));
        lock.acquire();
        return () -> release(lock);
    }

    private static void release(InterProcessMutex lock) {
        try {
            lock.release();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
