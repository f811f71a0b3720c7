package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A client retains no memory of a released lock. */
@Tag("server")
@Isolated("collects garbage again and again, which pauses other tests")
class ForgettingTest {

    @Test
    void release_afterWaitingAndSharing_retainsNoName() throws Exception {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast client = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
            WeakReference<String> name = use(client);

            eventually("the name is collected", () -> {
                System.gc();
                return name.get() == null;
            });
        }
    }

    private static WeakReference<String> use(Holdfast client) throws Exception {
        String name = "order:".concat(Long.toString(System.nanoTime()));
        DistributedLock lock = client.lock(name, PatientOptions.LOCK);
        Lease first = lock.acquire();
        CompletableFuture<Lease> second = lock.acquireAsync();
        CompletableFuture<Lease> cancelled = lock.acquireAsync();
        assertThat(lock.tryAcquire()).isEmpty();
        cancelled.cancel(true);
        first.close();
        second.get().close();
        lock.shared().acquire().close();
        return new WeakReference<>(name);
    }
}
