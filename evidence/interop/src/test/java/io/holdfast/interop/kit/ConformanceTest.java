package io.holdfast.interop.kit;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.interop.kit.ForeignClient.ForeignLease;
import io.holdfast.node.ResourceName;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of another project keeps the rules of a lease, on healthy servers and together with Holdfast. */
@Tag("server")
@Tag("slow")
class ConformanceTest {

    private static final Duration SHORT_TTL = Duration.ofSeconds(5);
    /** Longer than the drift of that lease. */
    private static final Duration DELAY = Duration.ofMillis(100);

    private static final Map<Integer, RedisServers> SERVERS = new ConcurrentHashMap<>();

    static IntStream sizes() {
        return Boolean.getBoolean("holdfast.evidence") ? IntStream.of(1, 3) : IntStream.of(3);
    }

    private static Fleet fleet(int nodes) {
        return Fleet.on(SERVERS.computeIfAbsent(nodes, RedisServers::start));
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RedisServers::close);
        SERVERS.clear();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_free_storesOneOwnerWithAnEnd(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease lease = fleet.acquire();

            fleet.awaitKeyEverywhere();
            assertThat(lease.token()).isPositive().isEven();
            assertThat(fleet.values()).allMatch(fleet.values().get(0)::equals).allMatch(one -> one.matches("[!-~]+"));
            assertThat(millisLeft(fleet.servers())).allMatch(left -> left > 0 && left <= Fleet.TTL.toMillis());
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_again_hasAnotherOwnerAndAGreaterToken(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease first = fleet.acquire();
            fleet.awaitKeyEverywhere();
            String owner = fleet.values().get(0);
            fleet.foreign().release(first);

            ForeignLease second = fleet.acquire();

            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(fleet.values()).doesNotContain(owner);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_heldByHoldfast_isRefusedAndWaitsForTheRelease(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            Lease lease = acquired(fleet);
            assertThat(fleet.tryAcquire()).isEmpty();

            CompletableFuture<ForeignLease> waiter = CompletableFuture.supplyAsync(fleet::acquire);
            assertThat(lease.extend(Fleet.TTL)).isTrue();
            assertThat(waiter).isNotDone();
            lease.close();

            assertThat(waiter.join().token()).isGreaterThan(lease.fencingToken().value());
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_sharedByHoldfast_isRefused(int nodes) throws InterruptedException {
        try (Fleet fleet = fleet(nodes);
                Lease shared = fleet.lock().shared().acquire()) {
            assertThat(fleet.tryAcquire()).isEmpty();
            assertThat(shared.extend(Fleet.TTL)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void release_held_letsHoldfastIn(int nodes) throws InterruptedException {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease lease = fleet.acquire();
            assertThat(fleet.lock().tryAcquire()).isEmpty();
            CompletableFuture<Lease> waiter = fleet.lock().acquireAsync();

            fleet.foreign().release(lease);

            Lease next = waiter.join();
            assertThat(next.fencingToken().value()).isGreaterThan(lease.token());
            assertThat(fleet.foreign().isHeld(lease)).isFalse();
            assertThat(fleet.foreign().extend(lease, Fleet.TTL)).isFalse();
            assertThat(next.extend(Fleet.TTL)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_inTurnsWithHoldfast_tokensGrow(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            List<Long> tokens = new ArrayList<>();
            for (int turn = 0; turn < 6; turn++) {
                ForeignLease ours = fleet.acquire();
                tokens.add(ours.token());
                fleet.foreign().release(ours);
                Lease theirs = acquired(fleet);
                tokens.add(theirs.fencingToken().value());
                theirs.close();
            }

            assertThat(tokens).isSorted().doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void extend_held_lengthensAndNeverShortens(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease lease = fleet.foreign()
                    .acquire(Fleet.NAME, Duration.ofSeconds(20), Duration.ofMinutes(2))
                    .orElseThrow();
            eventually("the lease is extended", () -> fleet.foreign().extend(lease, Fleet.TTL));
            eventually("all nodes have extended", () -> least(fleet) > 30_000);

            fleet.foreign().extend(lease, Duration.ofSeconds(1));

            assertThat(least(fleet)).isGreaterThan(10_000);
            assertThat(fleet.foreign().isHeld(lease)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void extend_keysAreGone_isRefusedAndTheLeaseIsLost(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease lease = fleet.acquire();
            fleet.awaitKeyEverywhere();
            fleet.deleteKeys();

            assertThat(fleet.foreign().extend(lease, Fleet.TTL)).isFalse();

            eventually("the loss is noticed", () -> {
                fleet.foreign().extend(lease, Fleet.TTL);
                return !fleet.foreign().isHeld(lease);
            });
            assertThat(fleet.values()).containsOnly("null");
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void release_lockIsHeldByHoldfast_leavesIt(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            ForeignLease lost = fleet.acquire();
            fleet.awaitKeyEverywhere();
            fleet.deleteKeys();
            Lease lease = acquired(fleet);
            fleet.awaitKeyEverywhere();

            assertThat(fleet.foreign().release(lost)).isFalse();

            assertThat(fleet.values()).containsOnly(lease.owner().token());
            lease.close();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_free_validityEndsBeforeTheKeysByTheDrift(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            eventually(
                    "the keys of a lease are there long enough to compare", () -> isCompared(fleet, fleet.foreign()));
        }
    }

    /** The reply comes a moment after the node has set the lock. Validity counts from before the claim was sent. */
    @ParameterizedTest
    @MethodSource("sizes")
    void acquire_slowReplies_validityEndsBeforeTheKeysByTheDrift(int nodes) {
        try (Fleet fleet = fleet(nodes)) {
            List<FaultProxy> proxies = IntStream.range(0, nodes)
                    .mapToObj(i -> FaultProxy.to(fleet.servers().get(i).uri()))
                    .toList();
            List<String> addresses =
                    proxies.stream().map(proxy -> proxy.uri().toString()).toList();
            try (ForeignClient slow = ForeignClient.connect(addresses, Fleet.LONGEST_LEASE, nodes > 2)) {
                proxies.forEach(proxy -> proxy.delay(DELAY));
                eventually("the keys of a lease are there long enough to compare", () -> isCompared(fleet, slow));
            }
            proxies.forEach(FaultProxy::close);
        }
    }

    private static boolean isCompared(Fleet fleet, ForeignClient client) {
        ForeignLease lease =
                client.acquire(Fleet.NAME, SHORT_TTL, Duration.ofMinutes(2)).orElseThrow();
        // A slow server may still have the key of an earlier attempt.
        boolean isOnAll = fleet.values().stream().distinct().count() == 1;
        List<Long> left = millisLeft(fleet.servers());
        long now = System.nanoTime();
        client.release(lease);
        if (!isOnAll || left.stream().anyMatch(millis -> millis <= 0)) {
            return false;
        }
        long drift = SHORT_TTL.toNanos() / 100 + 2_000_000;
        assertThat(left)
                .allSatisfy(millis -> assertThat(lease.until() - now)
                        .as("ns of validity of a key with %s ms left", millis)
                        .isLessThanOrEqualTo((millis + 1) * 1_000_000 - drift));
        return true;
    }

    @Test
    void acquire_unusualName_hasTheKeyOfHoldfast() throws InterruptedException {
        List<String> names = List.of(
                "two words",
                "line\nbreak",
                "{user:1}cart",
                "a}b",
                "holdfast:marker",
                "a:holdfast:b",
                "50 %\u0085\t{é}",
                "Stra\u00dfe \ud83d\ude80".repeat(60),
                "x".repeat(39) + "\ud83d\ude80".repeat(300));
        try (Fleet fleet = fleet(1)) {
            for (String name : names) {
                ForeignLease lease = fleet.acquire(name);

                assertThat(fleet.servers().get(0).exec("EXISTS", ResourceName.key(name)))
                        .as(name)
                        .isEqualTo(1L);
                assertThat(fleet.lock(name).tryAcquire()).as(name).isEmpty();
                fleet.foreign().release(lease);
            }
        }
    }

    private static Lease acquired(Fleet fleet) {
        return fleet.lock().acquireAsync().toCompletableFuture().join();
    }

    private static long least(Fleet fleet) {
        return millisLeft(fleet.servers()).stream()
                .mapToLong(Long::longValue)
                .min()
                .orElseThrow();
    }

    private static List<Long> millisLeft(RedisServers servers) {
        return IntStream.range(0, servers.count())
                .mapToObj(i -> (Long) servers.get(i).exec("PTTL", Fleet.NAME))
                .map(left -> left == null ? -2 : left)
                .toList();
    }
}
