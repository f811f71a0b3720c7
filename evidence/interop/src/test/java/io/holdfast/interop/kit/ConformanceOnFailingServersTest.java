package io.holdfast.interop.kit;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Lease;
import io.holdfast.interop.kit.ForeignClient.ForeignLease;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client of another project counts no vote that is missing, forgotten, or given twice. */
@Tag("server")
@Tag("evidence")
class ConformanceOnFailingServersTest {

    private static final String MARKER = "holdfast:marker";

    private final RedisServers servers = RedisServers.start(3);

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void acquire_majorityIsFrozen_isRefusedAndLeavesNothing() {
        try (Fleet fleet = Fleet.on(servers)) {
            fleet.foreign().release(fleet.acquire());
            fleet.awaitNoKey();
            fleet.freeze(1, 3);

            assertThat(fleet.tryAcquire()).isEmpty();

            fleet.thaw();
            fleet.awaitNoKey();
            assertThat(fleet.acquire().token()).isPositive();
        }
    }

    @Test
    void acquire_anotherMinorityIsFrozenInEachTurn_tokensGrow() {
        try (Fleet fleet = Fleet.on(servers)) {
            List<Long> tokens = new ArrayList<>();
            for (int turn = 0; turn < 6; turn++) {
                fleet.freeze(turn % 3, turn % 3 + 1);
                if (turn % 2 == 0) {
                    ForeignLease ours = fleet.acquire();
                    tokens.add(ours.token());
                    fleet.foreign().release(ours);
                } else {
                    Lease theirs =
                            fleet.lock().acquireAsync().toCompletableFuture().join();
                    tokens.add(theirs.fencingToken().value());
                    theirs.close();
                }
                fleet.thaw();
            }

            assertThat(tokens).isSorted().doesNotHaveDuplicates();
        }
    }

    /** A client that counts the votes of restarted servers would hold the lock beside Holdfast. */
    @Test
    void acquire_majorityWasRestartedEmpty_isRefused() {
        try (Fleet fleet = Fleet.on(servers)) {
            fleet.foreign().release(fleet.acquire());
            Lease lease = fleet.lock().acquireAsync().toCompletableFuture().join();
            servers.get(1).restartEmpty();
            servers.get(2).restartEmpty();

            for (int attempt = 0; attempt < 10; attempt++) {
                assertThat(fleet.tryAcquire()).isEmpty();
            }
            assertThat(fleet.values().subList(1, 3)).containsOnly("null");
            lease.close();
        }
    }

    @Test
    void acquire_allWereRestartedEmpty_isGrantedAfterAQuarantineAboveAllTokens() {
        assumeTrue(ForeignClient.isInstalled(), "python3 from 3.10 on is not installed");
        Duration longestLease = Duration.ofSeconds(1);
        try (ForeignClient foreign = Fleet.foreign(servers, longestLease)) {
            assumeTrue(foreign.endsQuarantines(), "the client relies on others to end a quarantine");
            ForeignLease before = acquired(foreign, longestLease);
            foreign.release(before);
            servers.forEach(RedisServer::restartEmpty);
            long restarted = System.nanoTime();

            ForeignLease after = acquired(foreign, longestLease);

            assertThat(Duration.ofNanos(System.nanoTime() - restarted)).isGreaterThan(longestLease);
            assertThat(after.token()).isGreaterThan(before.token());
        }
    }

    private static ForeignLease acquired(ForeignClient foreign, Duration ttl) {
        return foreign.acquire(Fleet.NAME, ttl, Eventually.BOUND).orElseThrow();
    }

    @Test
    void acquire_restartedServerThatWasObserved_votesAboveItsFloor() {
        assumeTrue(ForeignClient.isInstalled(), "python3 from 3.10 on is not installed");
        Duration longestLease = Duration.ofSeconds(1);
        try (ForeignClient foreign = Fleet.foreign(servers, longestLease)) {
            assumeTrue(foreign.endsQuarantines(), "the client relies on others to end a quarantine");
            ForeignLease before = acquired(foreign, longestLease);
            servers.get(0).restartEmpty();

            eventually("the server votes", () -> "1".equals(servers.get(0).exec("HGET", MARKER, "admitted")));

            String floor = String.valueOf(servers.get(0).exec("HGET", MARKER, "floor"));
            assertThat(Long.parseLong(floor)).isGreaterThanOrEqualTo(before.token());
        }
    }

    /** A client that proposes its clock only would wait for an hour. */
    @Test
    void acquire_acceptedFencesAreAnHourAhead_proposesAGreaterOne() {
        try (Fleet fleet = Fleet.on(servers)) {
            long fence = (System.currentTimeMillis() + Duration.ofHours(1).toMillis()) * 1_000;
            String bound = Long.toString(fence + Duration.ofSeconds(1).toNanos() / 1_000);
            servers.forEach(server -> {
                server.exec("HSET", MARKER, "gmax", bound);
                server.exec("HDEL", MARKER, "summary");
                server.exec("SET", "{" + Fleet.NAME + "}:holdfast:fence", Long.toString(fence));
            });

            assertThat(fleet.acquire().token()).isGreaterThan(fence);
        }
    }

    @Test
    void acquire_otherClientsHaveAnotherLongestLease_isRefused() {
        try (Fleet fleet = Fleet.on(servers)) {
            eventually("Holdfast has agreed with all servers", () -> {
                List<Object> agreed = new ArrayList<>();
                servers.forEach(server -> agreed.add(String.valueOf(server.exec("HGET", MARKER, "config"))));
                return agreed.stream().allMatch(("3/" + Fleet.LONGEST_LEASE.toMillis())::equals);
            });
            try (ForeignClient other = Fleet.foreign(servers, Duration.ofSeconds(30))) {
                assertThat(other.acquire(Fleet.NAME, Duration.ofSeconds(5), Duration.ZERO))
                        .isEmpty();
                assertThat(fleet.values()).containsOnly("null");
            }
        }
    }

    @Test
    void acquire_oneServerWithThreeNames_isRefused() {
        assumeTrue(ForeignClient.isInstalled(), "python3 from 3.10 on is not installed");
        String address = servers.addresses().get(0);
        List<String> names = List.of(address, address, address);
        try (ForeignClient foreign = ForeignClient.connect(names, Fleet.LONGEST_LEASE, true)) {
            assertThat(foreign.acquire(Fleet.NAME, Fleet.TTL, Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void acquire_serversMayEvictKeys_isRefused() {
        assumeTrue(ForeignClient.isInstalled(), "python3 from 3.10 on is not installed");
        servers.forEach(server -> {
            server.exec("CONFIG", "SET", "maxmemory", "100mb");
            server.exec("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        });
        try (ForeignClient foreign = Fleet.foreign(servers, Fleet.LONGEST_LEASE)) {
            assertThat(foreign.acquire(Fleet.NAME, Fleet.TTL, Duration.ZERO)).isEmpty();
        }
    }
}
