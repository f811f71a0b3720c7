package io.holdfast.interop;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.interop.Peer.Kind;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holdfast and clients of other projects contend for one key, and neither changes a lock that the other holds. */
@Tag("server")
@Tag("evidence")
class InteropTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final LockOptions OPTIONS =
            PatientOptions.LOCK.toBuilder().lease(TTL).build();
    private static final String KEY = "interop:order:42";
    private static final Map<Integer, RedisServers> SERVERS = new ConcurrentHashMap<>();

    /** A peer client and the number of servers. */
    record Setting(Kind kind, int nodes) {
        @Override
        public String toString() {
            return kind + " on " + nodes;
        }
    }

    static Stream<Setting> settings() {
        return Stream.of(Kind.values())
                .flatMap(kind -> kind.isQuorum()
                        ? Stream.of(new Setting(kind, 1), new Setting(kind, 3))
                        : Stream.of(new Setting(kind, 1)));
    }

    /** A Holdfast client and a peer on the same servers. */
    private record Duel(RedisServers servers, Peer peer, Holdfast holdfast) implements AutoCloseable {

        static Duel begin(Setting setting) {
            assumeTrue(setting.kind().isInstalled(), setting.kind() + " is not installed");
            RedisServers servers = SERVERS.computeIfAbsent(setting.nodes(), RedisServers::start);
            Duel duel = new Duel(
                    servers, Peer.start(setting.kind(), servers.addresses()), Holdfast.connect(servers.addresses()));
            duel.deleteKeys();
            return duel;
        }

        DistributedLock lock() {
            return holdfast.lock(KEY, OPTIONS);
        }

        void deleteKeys() {
            servers.forEach(server -> server.exec("DEL", KEY));
        }

        List<String> keys() {
            return Stream.iterate(0, i -> i < servers.count(), i -> i + 1)
                    .map(i -> String.valueOf(servers.get(i).exec("GET", KEY)))
                    .toList();
        }

        /**
         * Waits for the remaining servers: a client holds the lock with a majority, and the others may receive the key
         * later.
         */
        void awaitKeyEverywhere() {
            eventually("all servers have the key", () -> !keys().contains("null"));
        }

        @Override
        public void close() {
            peer.close();
            holdfast.close();
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RedisServers::close);
        SERVERS.clear();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void peerHolds_weWaitUntilItsRelease(Setting setting) throws Exception {
        try (Duel duel = Duel.begin(setting)) {
            DistributedLock lock = duel.lock();
            assertThat(duel.peer().acquire(KEY, TTL)).isTrue();

            assertThat(lock.tryAcquire()).isEmpty();
            CompletableFuture<Lease> waiter = lock.acquireAsync();
            assertThat(duel.peer().extend(KEY, TTL)).isTrue();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(waiter).isNotDone();
            assertThat(duel.peer().release(KEY)).isTrue();

            assertThat(waiter.get().state().isValid()).isTrue();
            assertThat(duel.peer().acquire(KEY, TTL)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void weHold_peerIsRefusedUntilOurRelease(Setting setting) throws Exception {
        try (Duel duel = Duel.begin(setting)) {
            Lease lease = duel.lock().acquire();

            assertThat(duel.peer().acquire(KEY, TTL)).isFalse();
            assertThat(lease.extend(TTL)).isTrue();
            assertThat(duel.peer().acquire(KEY, TTL)).isFalse();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);

            eventually("the peer acquires it", () -> duel.peer().acquire(KEY, TTL));
            assertThat(duel.lock().tryAcquire()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void weHoldShared_peerIsRefused(Setting setting) throws Exception {
        try (Duel duel = Duel.begin(setting)) {
            Lease one = duel.lock().shared().acquire();
            Lease two = duel.lock().shared().acquire();

            assertThat(duel.peer().acquire(KEY, TTL)).isFalse();
            one.close();
            assertThat(duel.peer().acquire(KEY, TTL)).isFalse();
            two.close();

            eventually("the peer acquires it", () -> duel.peer().acquire(KEY, TTL));
            assertThat(duel.lock().shared().tryAcquire()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void peerExpired_itsReleaseKeepsOurLock(Setting setting) throws Exception {
        try (Duel duel = Duel.begin(setting)) {
            assertThat(duel.peer().acquire(KEY, TTL)).isTrue();
            duel.awaitKeyEverywhere();
            duel.deleteKeys();
            Lease lease = duel.lock().acquire();
            duel.awaitKeyEverywhere();

            assertThat(duel.peer().release(KEY)).isFalse();

            assertThat(duel.keys()).containsOnly(lease.owner().token());
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void weExpired_ourReleaseKeepsThePeersLock(Setting setting) throws Exception {
        try (Duel duel = Duel.begin(setting)) {
            Lease lease = duel.lock().acquire();
            duel.awaitKeyEverywhere();
            duel.deleteKeys();
            assertThat(duel.peer().acquire(KEY, TTL)).isTrue();
            duel.awaitKeyEverywhere();
            List<String> peerKeys = duel.keys();

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);

            assertThat(duel.keys()).isEqualTo(peerKeys);
        }
    }
}
