package io.holdfast.benchmarks.contestant;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The lock service of etcd. The locks of a lease exclude only other leases, so each thread has a lease, which the
 * client renews.
 */
public final class JetcdLocks implements Contestant {

    private static final long LEASE_SECONDS = 30;

    private final Client client;
    private final Queue<CloseableClient> renewals = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Long> leases = ThreadLocal.withInitial(this::lease);

    public JetcdLocks(List<String> uris) {
        this.client = Client.builder().endpoints(uris.toArray(String[]::new)).build();
    }

    private long lease() {
        long lease = client.getLeaseClient().grant(LEASE_SECONDS).join().getID();
        renewals.add(client.getLeaseClient().keepAlive(lease, Observers.observer(response -> {})));
        return lease;
    }

    @Override
    public Runnable acquire(String resource) {
        Lock locks = client.getLockClient();
        ByteSequence name = ByteSequence.from(resource, StandardCharsets.UTF_8);
        ByteSequence key = locks.lock(name, leases.get()).join().getKey();
        return () -> locks.unlock(key).join();
    }

    @Override
    public void close() {
        renewals.forEach(CloseableClient::close);
        client.close();
    }
}
