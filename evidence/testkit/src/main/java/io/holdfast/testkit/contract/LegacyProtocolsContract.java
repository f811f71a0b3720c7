package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockAdmin;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStatus;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.FaultProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A contract for locks that share a key with clients of older protocols: {@code SETNX} with a time stamp and {@code
 * GETSET}, as the page of {@code SETNX} describes it, and transactions that depend on the value.
 *
 * @see <a href="https://redis.io/docs/latest/commands/setnx/">SETNX</a>
 */
public abstract class LegacyProtocolsContract {

    private static final String KEY = "legacy";
    private static final Duration KEEP = Duration.ofMillis(500);
    private static final LockOptions OPTIONS = PatientOptions.LOCK.toBuilder()
            .lease(Duration.ofSeconds(30))
            .retryDelays(Duration.ofMillis(5), Duration.ofMillis(20))
            .build();
    private static final Duration LEASE = OPTIONS.lease();

    private final RedisServer server = RedisServer.start();
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Holdfast::close);
        server.close();
    }

    private DistributedLock lock(String parameter) {
        return connect(server.uri() + parameter).lock(KEY, OPTIONS);
    }

    private Holdfast connect(String address) {
        Holdfast client = Holdfast.connect(List.of(address), PatientOptions.CLIENT);
        clients.add(client);
        return client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactions", "timestamps"})
    void standings_serverAnswers_votes(String protocol) {
        LockAdmin admin = connect(server.uri() + "?locks=" + protocol).admin();

        assertThat(admin.standings()).singleElement().matches(NodeStatus::votes);
        assertThat(admin.examine())
                .singleElement()
                .satisfies(node ->
                        assertThat(Objects.requireNonNull(node.value()).facts()).containsEntry("votes", true));
    }

    /** Time stamps in seconds, in seconds with a fraction, and in milliseconds are distinguished by their size. */
    @ParameterizedTest
    @ValueSource(strings = {"%.0f", "%.3f", "%.0f000"})
    void timestamps_heldByALegacyClient_isRefusedUntilItExpires(String format) throws Exception {
        double now = Instant.now().getEpochSecond();
        server.exec("SETNX", KEY, format.formatted(now + 60));
        DistributedLock lock = lock("?locks=timestamps");

        assertThat(lock.tryAcquire()).isEmpty();

        server.exec("SET", KEY, format.formatted(now - 1));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamps", "timestamps-in-seconds"})
    void timestamps_held_excludesLegacyClientsUntilTheRelease(String protocol) throws Exception {
        LegacyClient other = new LegacyClient(protocol.equals("timestamps") ? 1 : 1_000);
        Lease lease = lock("?locks=" + protocol).acquire();

        assertThat(other.tryAcquire()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(other.tryAcquire()).isTrue();
        assertThat(lock("?locks=" + protocol).tryAcquire()).isEmpty();
        other.release();
        assertThat(lock("?locks=" + protocol).tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamps", "timestamps-in-seconds"})
    void timestamps_releasedWithATimeToKeep_excludesLegacyClientsForThatTime(String protocol) throws Exception {
        LegacyClient other = new LegacyClient(protocol.equals("timestamps") ? 1 : 1_000);
        DistributedLock lock = lock("?locks=" + protocol);

        assertThat(lock.acquire().release(LEASE.multipliedBy(2))).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(other.tryAcquire()).isFalse();
        assertThat(other.timeLeft()).isGreaterThan(LEASE);
        server.exec("DEL", KEY);
        Lease lease = lock.acquire();
        long begun = System.nanoTime();

        assertThat(lease.release(KEEP)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(other.timeLeft()).isLessThan(KEEP.plusSeconds(2));
        eventually("the time is over", other::tryAcquire);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(KEEP.minusMillis(10));
    }

    /** A client that overwrites an expired time stamp holds the lock, and the former holder learns of its loss. */
    @Test
    void timestamps_overwrittenByALegacyClient_isLostAndKeepsTheNewValue() throws Exception {
        Lease lease = lock("?locks=timestamps").acquire();
        String theirs = Long.toString(System.currentTimeMillis() + 60_000);
        server.exec("GETSET", KEY, theirs);

        assertThatThrownBy(() -> lease.extend(LEASE.plusSeconds(1))).hasMessageContaining("is lost");
        lease.release();

        assertThat(server.exec("GET", KEY)).isEqualTo(theirs);
    }

    @Test
    void timestamps_manyClientsOfBothKinds_excludeEachOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger entries = new AtomicInteger();
        DistributedLock lock = lock("?locks=timestamps");
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                for (int cycle = 0; cycle < 20; cycle++) {
                    try (Lease lease = lock.acquireAsync().join()) {
                        assertThat(lease.state().isValid()).isTrue();
                        enter(inside, overlaps, entries);
                    }
                }
            }));
            all.add(CompletableFuture.runAsync(() -> {
                LegacyClient other = new LegacyClient(1);
                for (int cycle = 0; cycle < 20; cycle++) {
                    while (!other.tryAcquire()) {
                        Thread.onSpinWait();
                    }
                    enter(inside, overlaps, entries);
                    other.release();
                }
            }));
        }

        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();

        assertThat(entries).hasValue(120);
        assertThat(overlaps).hasValue(0);
    }

    /** Stays inside for a round trip, long enough to be seen by a client that must not enter. */
    private void enter(AtomicInteger inside, AtomicInteger overlaps, AtomicInteger entries) {
        overlaps.addAndGet(inside.incrementAndGet() > 1 ? 1 : 0);
        server.exec("PING");
        entries.incrementAndGet();
        inside.decrementAndGet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactions", "timestamps"})
    void acquire_lockTakenAfterTheRead_isRefused(String protocol) throws Exception {
        try (FaultProxy network = FaultProxy.to(server.uri());
                Holdfast client = connect(network.uri() + "?locks=" + protocol)) {
            DistributedLock lock = client.lock(KEY, OPTIONS);
            lock.acquire().close();
            network.hold(Direction.REPLIES);
            CompletableFuture<Lease> attempt = lock.acquireAsync(
                    lock.options().toBuilder().waitLimit(Duration.ZERO).build());
            eventually("the attempt has read the key", () -> network.waitingBytes() > 0);
            String theirs = Long.toString(System.currentTimeMillis() + 60_000);
            server.exec("SET", KEY, theirs, "NX", "PX", "60000");

            network.pass();

            assertThatThrownBy(attempt::join).hasCauseInstanceOf(LockTimeoutException.class);
            assertThat(server.exec("GET", KEY)).isEqualTo(theirs);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?locks=transactions"})
    void release_withATimeToKeep_isHeldForOtherProtocolsAndPlainClients(String protocol) throws Exception {
        Lease lease = lock(protocol).acquire();
        lease.annotate("the nightly job");

        assertThat(lease.release(LEASE)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(server.exec("SET", KEY, "another", "NX", "PX", "1000")).isNull();
        assertThat(lock("").tryAcquire()).isEmpty();
        assertThat(lock("?locks=transactions").tryAcquire()).isEmpty();
        LockAdmin admin = clients.get(0).admin();
        NodeLockStatus status = admin.status(KEY).held().orElseThrow();
        assertThat(status.retained()).isTrue();
        assertThat(status.note().text()).isEqualTo("the nightly job");
        assertThat(status.toString()).doesNotContain(lease.owner().token());
        admin.breakLock(KEY, "the administrator");
        assertThat(Objects.requireNonNull(admin.status(KEY).nodes().get(0).value())
                        .note()
                        .text())
                .isEqualTo("the administrator");
        assertThat(lock("").tryAcquire()).isPresent();
    }

    /** With time stamps, the lock's value does not name its owner. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?locks=transactions", "?locks=timestamps"})
    void status_held_showsTheNoteAndTheNameOfTheHolder(String protocol) throws Exception {
        try (Lease lease = lock(protocol).acquire()) {
            lease.annotate("the nightly job");

            eventually("the note is shown", () -> noteOf(clients.get(0)).equals("the nightly job"));
            eventually(
                    "the holder is named",
                    () -> clients.get(0).admin().status(KEY).holders().stream()
                            .anyMatch(client -> client.name().equals(ClientDescription.defaultName())));
        }
    }

    private static String noteOf(Holdfast client) {
        return client.admin().status(KEY).held().orElseThrow().note().text();
    }

    /** Otherwise two clients might hold a lock after a failover, against the option. */
    @ParameterizedTest
    @ValueSource(strings = {"?locks=transactions", "?locks=timestamps"})
    void acquire_replicasRequired_isRefusedWithTheReason(String protocol) {
        HoldfastOptions careful = PatientOptions.CLIENT.toBuilder().replicas(1).build();
        try (Holdfast client = Holdfast.connect(List.of(server.uri() + protocol), careful)) {
            assertThatThrownBy(() -> client.lock(KEY, OPTIONS).tryAcquire())
                    .hasMessageContaining("does not wait for replicas");
            assertThat(client.admin().standings()).noneMatch(NodeStatus::votes);
        }
    }

    /** A lock of Redisson is a hash, and the data of an application may have the name of a lock. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?locks=transactions", "?locks=timestamps"})
    void acquire_keyOfAnotherType_failsAndKeepsIt(String protocol) {
        server.exec("HSET", KEY, "another client", "1");
        DistributedLock lock = lock(protocol);
        LockOptions once = OPTIONS.toBuilder().waitLimit(Duration.ZERO).build();

        assertThatThrownBy(() -> lock.acquire(once)).hasMessageContaining("holds something other than a lock");
        if (protocol.isEmpty()) {
            assertThatThrownBy(() -> lock.shared().acquire(once))
                    .hasMessageContaining("holds something other than a lock");
        }

        assertThat(server.exec("HGET", KEY, "another client")).isEqualTo("1");
        assertThat(server.exec("PTTL", KEY)).isEqualTo(-1L);
    }

    /** Clients with scripts and clients without them contend on the same key, and their tokens are in one order. */
    @Test
    void transactions_withScriptsOnOneKey_areOneLock() throws Exception {
        DistributedLock scripts = lock("");
        DistributedLock transactions = lock("?locks=transactions");

        Lease first = transactions.acquire();
        assertThat(scripts.tryAcquire()).isEmpty();
        first.close();
        Lease second = scripts.acquire();
        assertThat(second.fencingToken().isAbove(first.fencingToken())).isTrue();
        assertThat(transactions.tryAcquire()).isEmpty();
        second.close();

        assertThat(transactions.acquire().fencingToken().isAbove(second.fencingToken()))
                .isTrue();
    }

    @Test
    void transactions_userWithoutScripts_canLock() throws Exception {
        String keys = "~" + KEY + " ~{" + KEY + "}* ~holdfast:*";
        String user = "ACL SETUSER plain on >pw resetkeys " + keys + " resetchannels -@all ";
        server.exec((user + RequiredAcl.text(RequiredAcl.WITHOUT_SCRIPTS)).split(" "));
        Holdfast client = connect("redis://plain:pw@127.0.0.1:" + server.port() + "?locks=transactions");

        try (Lease lease = client.lock(KEY, OPTIONS).acquire()) {
            assertThat(lease.extend(LEASE)).isTrue();
            assertThat(client.lock(KEY, OPTIONS).tryAcquire()).isEmpty();
        }
        assertThat(server.exec("GET", KEY)).isNull();
    }

    /** Without MULTI, the commands of the transaction would be executed one by one. */
    @Test
    void transactions_userMayNotUseMulti_changesNothing() {
        server.exec("ACL SETUSER half on >pw ~* resetchannels +@all -multi".split(" "));
        Holdfast client = connect("redis://half:pw@127.0.0.1:" + server.port() + "?locks=transactions");

        assertThatThrownBy(() -> client.lock(KEY, OPTIONS).tryAcquire())
                .isInstanceOf(QuorumUnreachableException.class)
                .hasMessageContaining("may not run 'multi'; grant it +multi");
        assertThat(server.exec("KEYS", "*" + KEY + "*")).isEqualTo(List.of());
    }

    @Test
    void transactions_threeNodes_requireDurableNodes() throws Exception {
        try (RedisServers servers = RedisServers.start(3)) {
            List<String> addresses = servers.addresses().stream()
                    .map(address -> address + "?locks=transactions")
                    .toList();
            try (Holdfast client = Holdfast.connect(
                    addresses,
                    PatientOptions.CLIENT.toBuilder()
                            .restarts(RestartPolicy.DURABLE)
                            .build())) {
                servers.get(0).kill();
                Lease lease = client.lock(KEY, OPTIONS).acquire();
                assertThat(client.lock(KEY, OPTIONS).tryAcquire()).isEmpty();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
            try (Holdfast client = Holdfast.connect(addresses, PatientOptions.CLIENT)) {
                assertThatThrownBy(() -> client.lock(KEY, OPTIONS).tryAcquire())
                        .hasMessageContaining("declare the nodes durable");
            }
        }
    }

    @Test
    void connect_unknownProtocol_namesTheKnownProtocols() {
        assertThatThrownBy(() -> Holdfast.connect(server.uri() + "?locks=magic"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("locks=magic")
                .hasMessageContaining("locks=transactions");
    }

    /** A client of the older protocol, as it is used in practice. */
    private final class LegacyClient {

        private final long unitMillis;
        private @Nullable String mine;

        LegacyClient(long unitMillis) {
            this.unitMillis = unitMillis;
        }

        boolean tryAcquire() {
            String until = Long.toString((System.currentTimeMillis() + LEASE.toMillis()) / unitMillis + 1);
            if (Objects.equals(server.exec("SETNX", KEY, until), 1L)) {
                mine = until;
                return true;
            }
            Object seen = server.exec("GET", KEY);
            if (!isOver(seen)) {
                return false;
            }
            // The server may have removed the expired key since.
            Object before = server.exec("GETSET", KEY, until);
            boolean taken = before == null || isOver(before);
            mine = taken ? until : null;
            return taken;
        }

        private boolean isOver(@Nullable Object until) {
            return until != null && Long.parseLong((String) until) * unitMillis < System.currentTimeMillis();
        }

        /** Returns the time left by the time stamp of the current holder; negative if it is over or there is none. */
        Duration timeLeft() {
            Object until = server.exec("GET", KEY);
            long end = until == null ? 0 : Long.parseLong((String) until) * unitMillis;
            return Duration.ofMillis(end - System.currentTimeMillis());
        }

        void release() {
            if (Objects.equals(server.exec("GET", KEY), mine)) {
                server.exec("DEL", KEY);
            }
        }
    }
}
