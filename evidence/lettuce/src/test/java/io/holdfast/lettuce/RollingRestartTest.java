package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three servers restart without data, one after another, while a lock is held and waiters are queued. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class RollingRestartTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final HoldfastOptions OPTIONS =
            PatientOptions.CLIENT.toBuilder().maxLease(LEASE).build();

    private final RedisServers servers = RedisServers.start(3);
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Holdfast::close);
        servers.close();
    }

    @Test
    void renewal_serversRestartWhileFairWaitersAreQueued_keepsTheLock() throws Exception {
        renewal_serversRestartOneByOne_keepsTheLockOnAll(3, true);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "3, false", "1, true"})
    @Tag("evidence")
    void renewal_serversRestartOneByOne_keepsTheLockOnAll(int waiters, boolean fair) throws Exception {
        LockOptions options = options(fair);
        Lease lease = client().lock("a", options).acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(client().lock("a", options).acquireAsync());
        }

        for (int i = 0; i < servers.count(); i++) {
            servers.get(i).restartEmpty();
            eventually("server " + i + " has the lock again", () -> isHeldOnAll(lease));
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }

        lease.release();
        if (waiters > 0) {
            Object next = CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new))
                    .get();
            assertThat(((Lease) next).fencingToken().isAbove(lease.fencingToken()))
                    .isTrue();
        }
    }

    @Test
    void renewal_keyDeletedWhileWaitersAreQueued_setsItAgain() throws Exception {
        renewal_keyOfAnyKindDeletedWhileWaitersAreQueued_setsItAgain(false, false);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    @Tag("evidence")
    void renewal_keyOfAnyKindDeletedWhileWaitersAreQueued_setsItAgain(boolean fair, boolean shared) throws Exception {
        LockOptions options = options(fair);
        Holdfast holder = client();
        Lease lease = (shared ? holder.lock("a", options).shared() : holder.lock("a", options)).acquire();
        for (int i = 0; i < 3; i++) {
            client().lock("a", options).acquireAsync();
        }
        eventually("the first server has the lock", () -> servers.get(0).exec("GET", "a") != null);
        Object value = servers.get(0).exec("GET", "a");

        for (int round = 0; round < 3; round++) {
            servers.get(0).exec("DEL", "a");
            eventually("the lock is back", () -> Objects.equals(servers.get(0).exec("GET", "a"), value));
        }

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    private boolean isHeldOnAll(Lease lease) {
        for (int i = 0; i < servers.count(); i++) {
            RedisServer server = servers.get(i);
            if (!lease.owner().token().equals(server.exec("GET", "a"))) {
                return false;
            }
        }
        return true;
    }

    private static LockOptions options(boolean fair) {
        return PatientOptions.LOCK.toBuilder()
                .waitLimit(Duration.ofMinutes(10))
                .lease(LEASE)
                .nodeTimeout(LEASE.dividedBy(8))
                .fair(fair)
                .build();
    }

    private Holdfast client() {
        Holdfast client = Holdfast.connect(servers.addresses(), OPTIONS);
        clients.add(client);
        return client;
    }
}
