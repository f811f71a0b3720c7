package io.holdfast.scoreboard.contestant;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The lock service of etcd, on a lease that the client renews. The token is the revision of the lock's key. */
final class JetcdLocks implements Contestant {

    private final Client client;
    private final long seconds;
    private final AtomicReference<Runnable> holder = new AtomicReference<>(JetcdLocks::ignore);
    private volatile @Nullable Long lease;

    JetcdLocks(List<String> uris, Duration lease) {
        this.client = Client.builder().endpoints(uris.toArray(String[]::new)).build();
        this.seconds = lease.toSeconds();
    }

    private long lease() {
        Long current = lease;
        if (current != null) {
            return current;
        }
        long granted = client.getLeaseClient().grant(seconds).join().getID();
        lease = granted;
        client.getLeaseClient().keepAlive(granted, new Renewals(granted));
        return granted;
    }

    /** Ignores the end of the session or lease: the lock is not held. */
    private static void ignore() {}

    @Override
    public Hold acquire(String resource, Runnable onLost) {
        ByteSequence name = ByteSequence.from(resource, StandardCharsets.UTF_8);
        ByteSequence key = client.getLockClient().lock(name, lease()).join().getKey();
        holder.set(onLost);
        KV values = client.getKVClient();
        long revision = values.get(key).join().getKvs().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the lock ended at once"))
                .getCreateRevision();
        return new Hold(OptionalLong.of(revision), () -> {
            holder.set(JetcdLocks::ignore);
            client.getLockClient().unlock(key).join();
        });
    }

    /** Hears that the lease cannot be renewed any more. */
    private final class Renewals implements StreamObserver<LeaseKeepAliveResponse> {

        private final long renewed;

        Renewals(long renewed) {
            this.renewed = renewed;
        }

        @Override
        public void onNext(LeaseKeepAliveResponse response) {}

        @Override
        public void onError(Throwable reason) {
            onCompleted();
        }

        @Override
        public void onCompleted() {
            Long current = lease;
            if (current != null && current == renewed) {
                lease = null;
                holder.getAndSet(JetcdLocks::ignore).run();
            }
        }
    }
}
