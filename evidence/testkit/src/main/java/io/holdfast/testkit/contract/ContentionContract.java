package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.servers.PatientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A contract for very many callers that request one lock at the same moment, or time out at the same moment. */
public abstract class ContentionContract extends ClientsContract {

    private static final int CLIENTS = 5;
    private static final int ROUNDS = Boolean.getBoolean("holdfast.evidence") ? 1_000 : 200;
    private static final int WAITERS = 10_000;
    private static final LockOptions NO_WAIT =
            PatientOptions.LOCK.toBuilder().waitLimit(Duration.ZERO).build();

    /** A job that is scheduled on five machines runs on exactly one of them each time. */
    @Test
    void tryAcquire_fiveClientsAtOnce_exactlyOneIsGranted() {
        List<Holdfast> clients =
                IntStream.range(0, CLIENTS).mapToObj(i -> client(Size.FIVE)).toList();
        String job = "job-" + UUID.randomUUID();
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<Lease>> attempts = new ArrayList<>();
            for (Holdfast client : clients) {
                attempts.add(client.lock(job, NO_WAIT).acquireAsync());
            }
            List<Lease> granted =
                    attempts.stream().flatMap(lease -> lease(lease).stream()).toList();

            assertThat(granted).as("round %d", round).hasSize(1);
            granted.get(0).close();
        }
    }

    private static List<Lease> lease(CompletableFuture<Lease> attempt) {
        try {
            return List.of(attempt.join());
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(LockTimeoutException.class);
            return List.of();
        }
    }

    /**
     * Each waiter learns that another client holds the lock; the nodes are asked a few times, not once for each waiter.
     */
    @Test
    @Tag("evidence")
    void acquire_tenThousandWaitLimitsExpireTogether_allReportTheHolder() {
        String lock = "busy-" + UUID.randomUUID();
        LockOptions limited =
                PatientOptions.LOCK.toBuilder().waitLimit(Duration.ofSeconds(3)).build();
        try (Lease held = client(Size.THREE)
                .lock(lock, PatientOptions.LOCK)
                .acquireAsync()
                .join()) {
            Holdfast client = client(Size.THREE);
            List<CompletableFuture<Lease>> waiting = IntStream.range(0, WAITERS)
                    .mapToObj(i -> client.lock(lock, limited).acquireAsync())
                    .toList();

            assertThat(waiting)
                    .allSatisfy(
                            lease -> assertThatThrownBy(lease::join).hasCauseInstanceOf(LockTimeoutException.class));
            assertThat(held.state().isValid()).isTrue();
        }
    }
}
