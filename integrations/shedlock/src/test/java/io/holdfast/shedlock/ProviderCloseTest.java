package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An orderly end of the process leaves a lock whose lockAtLeastFor is not over to the nodes. */
class ProviderCloseTest {

    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    @AutoClose
    private final SystemTime time = new SystemTime();

    private final InMemoryNode node = new InMemoryNode("a", time);

    private Holdfast client() {
        return Holdfast.over(List.of(node), OPTIONS, time, new Random(1));
    }

    private static SimpleLock lock(HoldfastLockProvider provider) {
        Duration atLeast = OPTIONS.maxLease().plusMinutes(9);
        return provider.lock(new LockConfiguration(ClockProvider.now(), "report", Duration.ofHours(1), atLeast))
                .orElseThrow();
    }

    private void assertKeptForTheLongestLease() {
        assertThat(node.timeLeft("shedlock:report")).isBetween(Duration.ofSeconds(50), OPTIONS.maxLease());
    }

    @Test
    void close_lockAtLeastForBeyondTheLongestLease_isKeptByTheNodes() {
        try (Holdfast client = client();
                HoldfastLockProvider provider = new HoldfastLockProvider(client)) {
            lock(provider).unlock();
        }

        assertKeptForTheLongestLease();
    }

    /** A task that ends after the provider, but before the client. */
    @Test
    void unlock_providerIsClosed_isKeptByTheNodes() {
        try (Holdfast client = client()) {
            HoldfastLockProvider provider = new HoldfastLockProvider(client);
            SimpleLock lock = lock(provider);
            provider.close();

            lock.unlock();
        }

        assertKeptForTheLongestLease();
    }

    @Test
    void close_taskRuns_staysHeld() {
        try (Holdfast client = client()) {
            HoldfastLockProvider provider = new HoldfastLockProvider(client);
            lock(provider);

            provider.close();

            assertThat(HoldfastLockProvider.current()).isPresent();
        }
    }
}
