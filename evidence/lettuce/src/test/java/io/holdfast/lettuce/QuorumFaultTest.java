package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.LeaseWatch;
import io.holdfast.testkit.fault.ConnectionEnd;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock while servers and networks fail, on real servers. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class QuorumFaultTest {

    private static final LockOptions LONG =
            PatientOptions.LOCK.toBuilder().lease(Duration.ofMinutes(10)).build();

    /** For servers that never answer in time. */
    private static final LockOptions BRIEF =
            LONG.toBuilder().nodeTimeout(Duration.ofMillis(200)).build();

    /** Node timeouts longer than that of the test: an operation that waits for the dead node fails the test. */
    private static final LockOptions WAITS_FOR_NODES = LONG.toBuilder()
            .lease(Duration.ofHours(2))
            .nodeTimeout(Duration.ofHours(1))
            .build();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_oneOfFiveIsDown_neitherFailsNorWaits(boolean frozen) throws InterruptedException {
        try (RedisServers servers = RedisServers.start(5);
                Holdfast holdfast = connect(servers.uris())) {
            if (frozen) {
                servers.get(2).freeze();
            } else {
                servers.get(2).kill();
            }
            DistributedLock lock = holdfast.lock("a", WAITS_FOR_NODES);
            for (int i = 0; i < 20; i++) {
                Lease lease = lock.acquire();
                assertThat(lease.extend(WAITS_FOR_NODES.lease())).isTrue();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void acquire_majorityFrozen_failsWithEachVoteAndLeavesNothing(int nodes) {
        try (RedisServers servers = RedisServers.start(nodes);
                Holdfast holdfast = connect(servers.uris())) {
            servers.forEach(RedisServer::freeze);

            assertThatThrownBy(() -> holdfast.lock("a", BRIEF).tryAcquire())
                    .isInstanceOfSatisfying(
                            QuorumUnreachableException.class,
                            failure -> assertThat(failure.replies()).hasSizeGreaterThan(nodes / 2))
                    .hasMessageContaining("no answer within ");

            servers.forEach(RedisServer::thaw);
            eventuallyFree(servers, "a");
        }
    }

    /**
     * The claim reaches the server, but its reply is lost with the connection. The release uses the next connection.
     */
    @Test
    void acquire_replyLostWithTheConnection_leavesNothing() throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri());
                Holdfast holdfast = connect(List.of(network.uri()))) {
            holdfast.lock("first, so that the server knows the script").acquire();
            network.hold(Direction.REPLIES);
            CompletableFuture<Lease> waiter = holdfast.lock(
                            "a", LONG.toBuilder().waitLimit(Duration.ZERO).build())
                    .acquireAsync();
            eventually("the claim has landed", () -> server.exec("GET", "a") != null);
            network.drop(ConnectionEnd.RESET);
            assertThatThrownBy(waiter::join).hasCauseInstanceOf(QuorumUnreachableException.class);
            assertThat(server.exec("GET", "a")).isNotNull();

            network.pass();

            eventually("the claim is released", () -> server.exec("GET", "a") == null);
        }
    }

    @Test
    void release_serverFrozen_goesOnUntilItIsAcknowledged() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(1);
                Holdfast holdfast = connect(servers.uris())) {
            Lease lease = holdfast.lock("a", BRIEF).acquire();
            servers.get(0).freeze();

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED);

            servers.get(0).thaw();
            eventuallyFree(servers, "a");
        }
    }

    @Test
    void acquire_majorityKilledAndRestarted_isGrantedAfterTheQuarantine() throws InterruptedException {
        HoldfastOptions quick = PatientOptions.CLIENT.toBuilder()
                .maxLease(Duration.ofSeconds(1))
                .build();
        LockOptions lock = PatientOptions.LOCK.toBuilder()
                .lease(Duration.ofSeconds(1))
                .nodeTimeout(Duration.ofMillis(800))
                .build();
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers.uris(), quick)) {
            Lease held = holdfast.lock("a", lock).acquire();
            servers.get(0).kill();
            servers.get(1).kill();
            assertThatThrownBy(() -> holdfast.lock("b", lock).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("majority of 2 of 3");
            held.lossFuture().join();

            servers.get(0).restartEmpty();
            servers.get(1).restartEmpty();
            assertThat(holdfast.lock("a", lock).acquire()).isNotNull();
        }
    }

    @Test
    void renewal_connectionsKilledAgainAndAgain_keepsTheLease() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers.uris())) {
            LockOptions renewed = LONG.toBuilder()
                    .lease(Duration.ofSeconds(6))
                    .nodeTimeout(Duration.ofSeconds(1))
                    .build();
            Lease lease = holdfast.lock("a", renewed).acquire();
            for (int i = 0; i < 3; i++) {
                servers.forEach(server -> server.exec("CLIENT", "KILL", "TYPE", "normal"));
                LeaseWatch.awaitExtension(List.of(lease));
            }
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    /** The margin of the lease is real: when the loss is reported, the frozen servers still hold the lock. */
    @Test
    @Tag("evidence")
    void loss_allServersFrozen_isReportedBeforeTheServersDropTheLock() throws InterruptedException {
        LockOptions options = LockOptions.builder().lease(Duration.ofSeconds(6)).build();
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers.uris())) {
            Lease lease = holdfast.lock("a", options).acquire();
            eventually("all hold it", () -> countHolding(servers, lease) == 3);
            servers.forEach(RedisServer::freeze);

            Loss loss = lease.lossFuture().join();
            servers.forEach(RedisServer::thaw);
            long holding = countHolding(servers, lease);

            assertThat(loss).isEqualTo(new Loss("a", LossReason.QUORUM_UNREACHABLE, Duration.ZERO));
            assertThat(holding).isEqualTo(3);
            assertThat(lease.lossMargin()).isEqualTo(Duration.ofMillis(300));
            assertThat(lease.state()).isEqualTo(LeaseState.LOST);
            eventually("it is not renewed any more", () -> countHolding(servers, lease) == 0);
        }
    }

    private static long countHolding(RedisServers servers, Lease lease) {
        return IntStream.range(0, servers.count())
                .filter(i -> lease.owner().token().equals(servers.get(i).exec("GET", "a")))
                .count();
    }

    @Test
    void close_duringAnAttempt_releasesItFirst() throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri())) {
            Holdfast holdfast = connect(List.of(network.uri()));
            assertThat(holdfast.lock("first, so that the server knows the script")
                            .acquireAsync()
                            .join())
                    .isNotNull();
            network.hold();
            CompletableFuture<Lease> underWay = holdfast.lock("a", LONG).acquireAsync();
            Thread closing = new Thread(holdfast::close);
            closing.start();
            eventually("it waits for the attempt", () -> closing.getState() == Thread.State.TIMED_WAITING);

            network.pass();
            closing.join();

            assertThat(server.exec("GET", "a")).isNull();
            assertThat(underWay).isCompletedExceptionally();
        }
    }

    /** Waiters need no connection of their own. A client with a connection pool refused the 251st. */
    @Test
    void acquire_manyContendedLocksOfOneClient_areAllGranted() {
        int locks = 600;
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holder = connect(servers.uris());
                Holdfast waiter = connect(servers.uris())) {
            List<Lease> held = all(holder, locks);
            List<CompletableFuture<LeaseState>> waiting = IntStream.range(0, locks)
                    .mapToObj(i -> waiter.lock("lock-" + i, LONG).acquireAsync().thenApply(Lease::state))
                    .toList();
            held.forEach(Lease::releaseAsync);

            waiting.forEach(granted -> assertThat(granted.join()).isEqualTo(LeaseState.HELD));
        }
    }

    @Test
    void acquire_interrupted_leavesNoLock() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holder = connect(servers.uris());
                Holdfast waiter = connect(servers.uris())) {
            Lease held = holder.lock("a", LONG).acquire();
            List<Throwable> ends = new ArrayList<>();
            Thread thread = new Thread(() -> {
                try {
                    waiter.lock("a", LONG).acquire();
                } catch (InterruptedException e) {
                    ends.add(e);
                }
            });
            thread.start();
            thread.interrupt();
            thread.join();
            held.release();

            assertThat(ends).hasSize(1);
            eventuallyFree(servers, "a");
        }
    }

    private static List<Lease> all(Holdfast holdfast, int locks) {
        List<CompletableFuture<Lease>> leases = IntStream.range(0, locks)
                .mapToObj(i -> holdfast.lock("lock-" + i, LONG).acquireAsync())
                .toList();
        return leases.stream().map(CompletableFuture::join).toList();
    }

    private static Holdfast connect(List<URI> uris) {
        return connect(
                uris,
                PatientOptions.CLIENT.toBuilder()
                        .maxLease(LockOptions.MAX_LEASE)
                        .build());
    }

    private static Holdfast connect(List<URI> uris, HoldfastOptions options) {
        return Holdfast.connect(uris.stream().map(URI::toString).toList(), options);
    }

    private static void eventuallyFree(RedisServers servers, String resource) {
        for (int i = 0; i < servers.count(); i++) {
            RedisServer server = servers.get(i);
            eventually(resource + " is gone from " + server, () -> server.exec("GET", resource) == null);
        }
    }
}
