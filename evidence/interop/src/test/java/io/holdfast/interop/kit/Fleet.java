package io.holdfast.interop.kit;

import static io.holdfast.servers.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.interop.kit.ForeignClient.ForeignLease;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Servers, the client under test, and a client of Holdfast. */
record Fleet(RedisServers servers, ForeignClient foreign, Holdfast holdfast) implements AutoCloseable {

    static final Duration LONGEST_LEASE = Duration.ofMinutes(5);
    /** So long that no key ends by itself while a test waits. */
    static final Duration TTL = LONGEST_LEASE;

    static final String NAME = "kit:order:42";

    private static final HoldfastOptions OPTIONS =
            PatientOptions.CLIENT.toBuilder().maxLease(LONGEST_LEASE).build();

    static Fleet on(RedisServers servers) {
        assumeTrue(ForeignClient.isInstalled(), "python3 from 3.10 on is not installed");
        servers.forEach(server -> server.exec("DEL", NAME));
        return new Fleet(servers, foreign(servers, LONGEST_LEASE), Holdfast.connect(servers.addresses(), OPTIONS));
    }

    static ForeignClient foreign(RedisServers servers, Duration longestLease) {
        return ForeignClient.connect(servers.addresses(), longestLease, servers.count() > 2);
    }

    DistributedLock lock() {
        return lock(NAME);
    }

    DistributedLock lock(String name) {
        return holdfast.lock(
                name,
                LockOptions.builder().lease(TTL).waitLimit(Eventually.BOUND).build());
    }

    /** Lets the client try until it has the lock. */
    ForeignLease acquire(String name) {
        return foreign.acquire(name, TTL, Eventually.BOUND)
                .orElseThrow(() -> new AssertionError("The client does not acquire '" + name + "', which is free"));
    }

    ForeignLease acquire() {
        return acquire(NAME);
    }

    Optional<ForeignLease> tryAcquire() {
        return foreign.acquire(NAME, TTL, Duration.ZERO);
    }

    /** Returns the values of the lock's key on the servers; "null" where there is none. */
    List<String> values() {
        return all().map(i -> String.valueOf(servers.get(i).exec("GET", NAME))).toList();
    }

    private Stream<Integer> all() {
        return IntStream.range(0, servers.count()).boxed();
    }

    /** Waits for the servers that are not needed for the majority. */
    void awaitKeyEverywhere() {
        eventually("all servers have the key", () -> !values().contains("null"));
    }

    void awaitNoKey() {
        eventually("no server has the key", () -> values().stream().allMatch("null"::equals));
    }

    void deleteKeys() {
        servers.forEach(server -> server.exec("DEL", NAME));
    }

    void freeze(int first, int end) {
        IntStream.range(first, end).mapToObj(servers::get).forEach(RedisServer::freeze);
    }

    void thaw() {
        servers.forEach(RedisServer::thaw);
    }

    @Override
    public void close() {
        foreign.close();
        holdfast.close();
    }
}
