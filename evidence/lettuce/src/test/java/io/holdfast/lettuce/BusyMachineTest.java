package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts with the default options, beside processes that use all processors. Prints how long they took. */
@Tag("server")
@Tag("evidence")
class BusyMachineTest {

    private static final int ATTEMPTS = 10_000;
    private static final int SPINNERS = 4;
    private static final HoldfastOptions OPTIONS = PatientOptions.CLIENT.toBuilder()
            .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
            .build();

    private static final List<Process> spinners = new ArrayList<>();

    @BeforeAll
    static void spin() throws IOException {
        for (int i = 0; i < SPINNERS; i++) {
            spinners.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
    }

    @AfterAll
    static void rest() {
        spinners.forEach(Process::destroyForcibly);
    }

    /** A server that gets no processor for half a second fails as a frozen one does. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @EnabledIfSystemProperty(
            named = "holdfast.measure",
            matches = "true",
            disabledReason = "needs a machine without other builds")
    void tryAcquire_freeLockOfHealthyServers_neverFails(int count) throws InterruptedException {
        List<Duration> times = new ArrayList<>();
        List<QuorumUnreachableException> failures = new ArrayList<>();
        try (RedisServers servers = RedisServers.start(count);
                Holdfast client = Holdfast.connect(servers.addresses(), OPTIONS)) {
            DistributedLock lock = client.lock("free");
            for (int i = 0; i < ATTEMPTS; i++) {
                long begun = System.nanoTime();
                try {
                    Lease lease = lock.tryAcquire().orElseThrow();
                    times.add(Duration.ofNanos(System.nanoTime() - begun));
                    lease.release();
                } catch (QuorumUnreachableException e) {
                    System.out.printf("attempt %d: %s%n", i, e.getMessage());
                    failures.add(e);
                }
            }
        }
        times.sort(null);
        long slow = times.stream().filter(time -> time.toMillis() >= 50).count();
        System.out.printf(
                "%d servers: %d of %d attempts failed; %d took 50 ms or more; the longest %d ms%n",
                count,
                failures.size(),
                ATTEMPTS,
                slow,
                times.get(times.size() - 1).toMillis());

        assertThat(failures).isEmpty();
    }
}
