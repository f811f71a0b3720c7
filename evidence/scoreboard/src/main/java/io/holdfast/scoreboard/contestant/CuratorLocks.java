package io.holdfast.scoreboard.contestant;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's {@code InterProcessMutex}, whose holder stops when its connection is suspended or lost. */
final class CuratorLocks implements Contestant {

    private static final int RETRY_MILLIS = 100;
    private static final int RETRIES = 10;

    private final CuratorFramework client;
    private final AtomicReference<Runnable> holder = new AtomicReference<>(CuratorLocks::ignore);

    CuratorLocks(List<String> uris, Duration session) {
        String addresses = uris.stream().map(URI::create).map(URI::getAuthority).collect(Collectors.joining(","));
        this.client = CuratorFrameworkFactory.builder()
                .connectString(addresses)
                .sessionTimeoutMs((int) session.toMillis())
                .connectionTimeoutMs((int) session.toMillis())
                .retryPolicy(new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES))
                .build();
        client.getConnectionStateListenable().addListener((source, state) -> {
            if (state == ConnectionState.SUSPENDED || state == ConnectionState.LOST) {
                holder.getAndSet(CuratorLocks::ignore).run();
            }
        });
        client.start();
    }

    /** Ignores the end of the session or lease: the lock is not held. */
    private static void ignore() {}

    @Override
    public Hold acquire(String resource, Runnable onLost) throws Exception {
        InterProcessMutex lock = new InterProcessMutex(client, "/" + resource);
        lock.acquire();
        holder.set(onLost);
        return Hold.withoutToken(() -> {
            holder.set(CuratorLocks::ignore);
            lock.release();
        });
    }
}
