package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.servers.Appendonly;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.ScaledTime;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import io.holdfast.time.SystemTime;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Adversarial scenarios on real servers, including those in which theory predicts a violation. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ScenarioOnServersTest {

    private static final Duration MAX_LEASE = Duration.ofMinutes(10);
    private static final LockOptions LOCK =
            PatientOptions.LOCK.toBuilder().lease(MAX_LEASE).renewal(false).build();

    private static final HoldfastOptions CLIENT =
            PatientOptions.CLIENT.toBuilder().maxLease(MAX_LEASE).build();

    @TempDir
    private Path directory;

    /**
     * The holder has two of three votes, and the clock of one server steps beyond the lease. Two clients hold; the
     * tokens differ.
     */
    @Test
    void clock_ofOneServerStepsBeyondTheLease_twoHoldAndTheTokenGrows() throws Exception {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory);
        try (RedisServer stepping = RedisServer.start(clock.options());
                RedisServers others = RedisServers.start(2)) {
            List<URI> uris =
                    List.of(stepping.uri(), others.get(0).uri(), others.get(1).uri());
            try (Holdfast first = connect(uris);
                    Holdfast second = connect(uris)) {
                Lease held = first.lock("a", LOCK).acquire();
                awaitLockOn(stepping, others.get(0), others.get(1));
                others.get(1).exec("DEL", "a");
                assertThat(second.lock("a", LOCK).tryAcquire()).isEmpty();

                clock.set(MAX_LEASE.plusSeconds(1));

                Lease stolen = eventuallyAcquired(second);
                assertThat(held.state()).isEqualTo(LeaseState.HELD);
                assertThat(stolen.fencingToken().isAbove(held.fencingToken())).isTrue();
            }
        }
    }

    @Test
    void clock_ofOneServerStepsWhileThreeHoldTheLock_grantsNoMajority() throws Exception {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory);
        try (RedisServer stepping = RedisServer.start(clock.options());
                RedisServers others = RedisServers.start(2);
                Holdfast first = connect(List.of(
                        stepping.uri(), others.get(0).uri(), others.get(1).uri()));
                Holdfast second = connect(List.of(
                        stepping.uri(), others.get(0).uri(), others.get(1).uri()))) {
            first.lock("a", LOCK).acquire();
            awaitLockOn(stepping, others.get(0), others.get(1));

            clock.set(MAX_LEASE.plusSeconds(1));
            eventually("its key has expired", () -> stepping.exec("GET", "a") == null);

            assertThat(second.lock("a", LOCK).tryAcquire()).isEmpty();
        }
    }

    @Test
    void clock_ofAllServersStepsBeyondTheLease_twoHoldAndTheTokenGrows() throws Exception {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory);
        try (RedisServers servers = RedisServers.start(3, clock.options());
                Holdfast first = connect(servers.uris());
                Holdfast second = connect(servers.uris())) {
            Lease held = first.lock("a", LOCK).acquire();

            clock.set(MAX_LEASE.plusSeconds(1));

            Lease stolen = eventuallyAcquired(second);
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
            assertThat(stolen.fencingToken().isAbove(held.fencingToken())).isTrue();
        }
    }

    /** The lock is stuck for an hour on that server; the others form the majority. */
    @Test
    void clock_ofOneServerStepsBack_delaysNoClient() throws Exception {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory);
        try (RedisServer stepping = RedisServer.start(clock.options());
                RedisServers others = RedisServers.start(2);
                Holdfast first = connect(List.of(
                        stepping.uri(), others.get(0).uri(), others.get(1).uri()));
                Holdfast second = connect(List.of(
                        stepping.uri(), others.get(0).uri(), others.get(1).uri()))) {
            first.lock("a", LOCK).acquire();
            awaitLockOn(stepping, others.get(0), others.get(1));
            clock.set(Duration.ofHours(-1));
            others.forEach(server -> server.exec("PEXPIRE", "a", "1"));

            assertThat(eventuallyAcquired(second).state()).isEqualTo(LeaseState.HELD);
            assertThat(stepping.exec("GET", "a")).isNotNull();
        }
    }

    /**
     * An administrator deletes the key on a majority: another client acquires the lock, and the first holder is
     * notified.
     */
    @Test
    void delete_onAMajority_twoHoldUntilTheNextRenewalOfTheFirst() throws InterruptedException {
        LockOptions renewed = PatientOptions.LOCK.toBuilder()
                .lease(Duration.ofSeconds(9))
                .nodeTimeout(Duration.ofSeconds(3))
                .build();
        try (RedisServers servers = RedisServers.start(3);
                Holdfast first = connect(servers.uris());
                Holdfast second = connect(servers.uris())) {
            Lease held = first.lock("a", renewed).acquire();
            servers.forEach(server -> server.exec("DEL", "a"));

            Lease stolen = eventuallyAcquired(second);

            assertThat(stolen.fencingToken().isAbove(held.fencingToken())).isTrue();
            assertThat(held.lossFuture().join().reason()).isEqualTo(LossReason.TAKEN);
        }
    }

    /** Redis publishes expiry events late, most of all when many keys expire. */
    @Test
    void acquire_holderDiedAmongManyExpiringKeys_isGrantedAfterTheLease() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast first = connect(servers.uris());
                Holdfast second = connect(servers.uris())) {
            String many = "for i = 1, 20000 do redis.call('SET', 'k' .. i, 'v', 'PX', 60000 + i) end";
            servers.forEach(server -> server.exec("EVAL", many, "0"));
            LockOptions brief = LOCK.toBuilder()
                    .lease(Duration.ofSeconds(1))
                    .nodeTimeout(Duration.ofMillis(800))
                    .build();
            first.lock("a", brief).acquire();

            Lease next = second.lock("a", LOCK).acquire();

            assertThat(next.state()).isEqualTo(LeaseState.HELD);
        }
    }

    /** Pauses a server, as a slow script or a fork would. */
    @Test
    void acquire_oneServerPaused_countsAsFailed() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers.uris())) {
            eventually("all vote", () -> isStoredByAll(holdfast, servers));
            // The first release takes two commands, so the next acquire may overtake it on a slow server.
            eventually("all have released it", () -> countStoring(servers) == 0);
            servers.get(0).exec("CLIENT", "PAUSE", "600000");

            for (int i = 0; i < 5; i++) {
                holdfast.lock("a", LOCK).acquire().release();
            }
            // Its vote is missing: without a second server there is no majority.
            servers.get(1).kill();
            assertThat(refusal(holdfast.lock("refusal", LOCK)))
                    .contains(
                            servers.get(0).uri() + ": no answer within",
                            servers.get(2).uri() + ": granted");
            servers.get(0).kill();
        }
    }

    private static boolean isStoredByAll(Holdfast holdfast, RedisServers servers) throws InterruptedException {
        Lease lease = holdfast.lock("a", LOCK).acquire();
        boolean isStored = countStoring(servers) == servers.count();
        lease.release();
        return isStored;
    }

    private static long countStoring(RedisServers servers) {
        return IntStream.range(0, servers.count())
                .filter(i -> servers.get(i).exec("GET", "a") != null)
                .count();
    }

    /** An empty machine replaces another one under the same name. */
    @Test
    void acquire_serverReplacedByAnEmptyOne_doesNotVote() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers.uris())) {
            servers.get(2).kill();
            Lease held = holdfast.lock("a", LOCK).acquire();
            servers.get(2).restartEmpty();
            servers.get(1).restartEmpty();

            try (Holdfast rival = connect(servers.uris())) {
                assertThat(tryAcquire(rival)).isEmpty();
            }
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
    }

    /** The client's tokens use the servers' clocks, so other clients are not affected. */
    @Test
    void acquire_clientsClockIsACenturyAhead_isGrantedWithoutEffectOnOthers() throws InterruptedException {
        NodeSettings settings =
                new NodeSettings(new QuorumConfig(3, MAX_LEASE), true, PatientOptions.CLIENT.connectTimeout());
        try (RedisServers servers = RedisServers.start(3);
                ScaledTime future = ScaledTime.ahead(Duration.ofDays(36_525));
                Holdfast wrong = Holdfast.forTesting(
                        new LettuceNodes()
                                .connect(
                                        servers.addresses().stream()
                                                .map(NodeAddress::parse)
                                                .toList(),
                                        settings,
                                        future),
                        future,
                        new Random());
                Holdfast right = connect(servers.uris())) {
            Lease before = wrong.lock("a", LOCK).acquire();
            before.release();

            Lease after = right.lock("a", LOCK).acquire();

            assertThat(after.fencingToken().isAbove(before.fencingToken())).isTrue();
            assertThat(after.fencingToken().value()).isLessThan(nowMicros() + 20_000_000);
        }
    }

    /** The server drops the fence within an hour, after the floor has been raised above it. */
    @Test
    void acquire_afterTheFenceExpired_oldTokensAreStale() throws Exception {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory);
        NodeSettings settings =
                new NodeSettings(new QuorumConfig(1, MAX_LEASE), true, PatientOptions.CLIENT.connectTimeout());
        try (RedisServer server = RedisServer.start(clock.options());
                SystemTime time = new SystemTime();
                LockNode node = new LettuceNodes()
                        .connect(List.of(NodeAddress.parse(server.uri().toString())), settings, time)
                        .get(0)) {
            Claim old = Claim.acquire("a", new Owner("old"), Duration.ofSeconds(1), new FencingToken(nowMicros()));
            assertThat(ask(node, old)).isEqualTo(Reply.GRANTED);
            assertThat(server.exec("EXISTS", "{a}:holdfast:fence")).isEqualTo(1L);

            clock.set(Duration.ofHours(1));

            eventually(
                    "the fence is dropped", () -> Long.valueOf(0).equals(server.exec("EXISTS", "{a}:holdfast:fence")));
            Claim copy = Claim.acquire("a", new Owner("copy"), Duration.ofSeconds(1), old.fence());
            assertThat(ask(node, copy)).isInstanceOf(Reply.Stale.class);
        }
    }

    /**
     * A server that syncs every second dies while its disk stalls. It has lost acknowledged writes, so it must not
     * vote.
     */
    @Test
    void acquire_serverDiedWhileItsDiskStalled_doesNotVote() throws Exception {
        assumeTrue(ServerDisk.isAvailable());
        ServerDisk disk = ServerDisk.in(directory);
        try (RedisServer server = RedisServer.start(disk.options().withAppendonly(Appendonly.EVERYSEC));
                Holdfast holdfast = connect(server, RestartPolicy.QUARANTINE)) {
            heldOnlyInMemory(server, disk, holdfast);

            server.restartKeepingMemory();

            eventually(
                    "it does not vote",
                    () -> refusal(holdfast.lock("refusal", LOCK)).contains("in quarantine"));
            assertThat(server.exec("GET", "a")).isNull();
        }
    }

    @Test
    void acquire_serverDiedWhileItsDiskStalledAndIsDeclaredDurable_twoHold() throws Exception {
        assumeTrue(ServerDisk.isAvailable());
        ServerDisk disk = ServerDisk.in(directory);
        try (RedisServer server = RedisServer.start(disk.options().withAppendonly(Appendonly.EVERYSEC));
                Holdfast first = connect(server, RestartPolicy.DURABLE);
                Holdfast second = connect(server, RestartPolicy.DURABLE)) {
            Lease held = heldOnlyInMemory(server, disk, first);

            server.restartKeepingMemory();

            eventuallyAcquired(second);
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
    }

    /**
     * Returns a lease that the server has acknowledged but not written, because it waits for its disk. The server waits
     * for two seconds at most; tries again if they have passed.
     */
    private static Lease heldOnlyInMemory(RedisServer server, ServerDisk disk, Holdfast holdfast) {
        Lease[] held = new Lease[1];
        eventually("the lock is only in the server's buffer", () -> {
            disk.stall();
            eventually("a flush waits for the disk", () -> {
                server.exec("SET", "something", "to write");
                return persistence(server).contains("aof_pending_bio_fsync:1");
            });
            held[0] = holdfast.lock("a", LOCK).tryAcquire().orElseThrow();
            if (!persistence(server).contains("aof_buffer_length:0\r")) {
                return true;
            }
            held[0].release();
            disk.recover();
            eventually("the disk works", () -> persistence(server).contains("aof_pending_bio_fsync:0"));
            return false;
        });
        return held[0];
    }

    private static String persistence(RedisServer server) {
        return String.valueOf(server.exec("INFO", "persistence"));
    }

    private static Holdfast connect(RedisServer server, RestartPolicy restarts) {
        return Holdfast.connect(
                List.of(server.uri().toString()),
                CLIENT.toBuilder().restarts(restarts).build());
    }

    private static Reply ask(LockNode node, Claim claim) {
        return node.ask(claim).toCompletableFuture().join();
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Waits until each of the servers has the lock: an acquisition ends when a majority has it. */
    private static void awaitLockOn(RedisServer... servers) {
        for (RedisServer server : servers) {
            eventually("each server has the lock", () -> server.exec("GET", "a") != null);
        }
    }

    private static Lease eventuallyAcquired(Holdfast holdfast) {
        Lease[] lease = new Lease[1];
        eventually("the lock is granted", () -> {
            tryAcquire(holdfast).ifPresent(granted -> lease[0] = granted);
            return lease[0] != null;
        });
        return lease[0];
    }

    private static Optional<Lease> tryAcquire(Holdfast holdfast) {
        try {
            return holdfast.lock("a", LOCK).tryAcquire();
        } catch (QuorumUnreachableException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Holdfast connect(List<URI> uris) {
        return Holdfast.connect(uris.stream().map(URI::toString).toList(), CLIENT);
    }
}
