package io.holdfast.faults;

import io.holdfast.servers.Appendonly;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.fault.ConnectionEnd;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.FaultProxy;
import io.holdfast.testkit.fault.Standby;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A server, and the network between it and each client, with one fault at a time. A network fault affects one client or
 * all of them, so that one client may be cut off while others are not.
 */
final class FaultyServer implements AutoCloseable {

    private static final int LONGEST_RESTART_MILLIS = 1_000;
    private static final Duration SLOWNESS = Duration.ofMillis(20);
    /** More than all pending notifications need, and less than the message that is too long. */
    private static final int INBOX_BYTES = 100_000;

    /** Clients probe a server every 5 s; after that, a claim may still be in transit. */
    private static final long EVICTION_NOTICED_MILLIS = 7_000;

    private static final long EVICTION_OBSERVED_MILLIS = 2_000;

    private final RedisServer server = RedisServer.start(Standby.OPTIONS.withAppendonly(Appendonly.ALWAYS));
    private final Standby standby = new Standby(server);
    private final List<FaultProxy> networks;
    private final int locks;
    private Runnable healing = () -> {};
    private final AtomicInteger cuts = new AtomicInteger();
    private int votesWhileEvicting;

    FaultyServer(FaultPlan plan) {
        locks = plan.load().locks();
        networks = Stream.generate(() -> FaultProxy.to(server.uri()))
                .limit(FaultPlan.PROCESSES)
                .toList();
    }

    /** Returns the address to which this client connects. */
    String uri(int client) {
        return networks.get(client).uri().toString();
    }

    RedisServer server() {
        return server;
    }

    /** Makes a fault that lasts until {@link #heal}, or that is over immediately. */
    void fail(FaultKind kind, Random random) throws InterruptedException {
        int victim = random.nextInt(networks.size() + 1);
        List<FaultProxy> struck = victim == networks.size() ? networks : List.of(networks.get(victim));
        switch (kind) {
            case KILL_AND_FORGET -> lasting(server::kill, server::restartEmpty);
            case KILL_AND_REMEMBER -> lasting(server::kill, server::restartKeepingMemory);
            case FREEZE -> lasting(server::freeze, server::thaw);
            case RESTART_EMPTY -> server.restartEmpty();
            case FLUSH -> server.exec("FLUSHALL");
            case FORGET_SCRIPTS -> server.exec("SCRIPT", "FLUSH");
            case KILL_CONNECTIONS -> {
                server.exec("CLIENT", "KILL", "TYPE", "pubsub");
                server.exec("CLIENT", "KILL", "TYPE", "normal");
            }
            case FULL_INBOX -> fillInboxes();
            case BLACK_HOLE -> lasting(struck, FaultProxy::hold);
            case DEAF -> lasting(struck, network -> network.hold(Direction.REPLIES));
            case LOSE_REPLY -> lasting(struck, FaultProxy::sever);
            case SLOW ->
                lasting(() -> struck.forEach(network -> network.delay(SLOWNESS)), () -> {
                    // Claims whose replies have not arrived are lost with their connections.
                    struck.forEach(network -> network.drop(ConnectionEnd.RESET));
                    struck.forEach(FaultProxy::pass);
                });
            case RESET -> struck.forEach(network -> network.drop(ConnectionEnd.RESET));
            case FAIL_OVER -> lasting(this::failOver, this::failBack);
            case FAIL_BACK -> lasting(standby::diverge, standby::rollBack);
            case DEMOTE ->
                lasting(() -> server.exec("REPLICAOF", "127.0.0.1", "1"), () -> server.exec("REPLICAOF", "NO", "ONE"));
            case CHANGE_EVICTION -> evict();
            case CUT_OFF, KILL_CLIENT, FAIL_THREADS, ROLLING_RESTART, CHANGE_SET ->
                throw new IllegalArgumentException(kind + " does not affect exactly one server");
        }
    }

    private void failOver() {
        standby.takeOver();
        networks.forEach(network -> network.lead(standby.server().uri()));
    }

    private void failBack() {
        standby.restoreMaster();
        networks.forEach(network -> network.lead(server.uri()));
    }

    /**
     * Sets the server to evict for some time. Nothing is evicted, because there is enough memory. A client that was cut
     * off meanwhile proves nothing: what it has sent arrives at the end of the cut, and it cannot have read the policy.
     */
    private void evict() throws InterruptedException {
        int cutsBefore = cuts.get();
        try {
            configure("1gb", "allkeys-lru");
            Thread.sleep(EVICTION_NOTICED_MILLIS);
            List<?> before = fences();
            Thread.sleep(EVICTION_OBSERVED_MILLIS);
            votesWhileEvicting += before.equals(fences()) || cuts.get() != cutsBefore ? 0 : 1;
        } finally {
            configure("0", "noeviction");
        }
    }

    /** Redis before 7.0 sets one parameter at a time. */
    private void configure(String maxMemory, String policy) {
        server.exec("CONFIG", "SET", "maxmemory", maxMemory);
        server.exec("CONFIG", "SET", "maxmemory-policy", policy);
    }

    /** Returns the fences of the contended locks; each vote for a new holder raises one. */
    private List<?> fences() {
        return IntStream.range(0, locks)
                .mapToObj(i -> server.exec("GET", "{" + FaultPlan.resource(i) + "}:holdfast:fence"))
                .map(String::valueOf)
                .toList();
    }

    /** Returns how often the server voted although it had been set to evict for seconds. */
    int votesWhileEvicting() {
        return votesWhileEvicting;
    }

    /** Ends the process in some way and starts another in its place, with or without the data. */
    void restart(Random random) throws InterruptedException {
        if (random.nextBoolean()) {
            server.stop();
        } else {
            server.kill();
        }
        Thread.sleep(random.nextInt(LONGEST_RESTART_MILLIS));
        if (random.nextBoolean()) {
            server.restartKeepingMemory();
        } else {
            server.restartEmpty();
        }
    }

    /** Returns true if the server has a key of the lock, of any owner. */
    boolean has(String resource) {
        return server.exec("GET", resource) != null;
    }

    /** Ends the connections of this client. */
    void reset(int client) {
        networks.get(client).drop(ConnectionEnd.RESET);
    }

    private void fillInboxes() {
        server.exec("CONFIG", "SET", "client-output-buffer-limit", "pubsub " + INBOX_BYTES + " 0 0");
        String tooLong = "x".repeat(2 * INBOX_BYTES);
        for (Object inbox : (List<?>) Objects.requireNonNull(server.exec("PUBSUB", "CHANNELS", "holdfast:inbox:*"))) {
            server.exec("PUBLISH", String.valueOf(inbox), tooLong);
        }
    }

    private void lasting(List<FaultProxy> struck, Consumer<FaultProxy> begin) {
        lasting(() -> struck.forEach(begin), () -> struck.forEach(FaultProxy::pass));
    }

    private void lasting(Runnable begin, Runnable end) {
        begin.run();
        healing = end;
    }

    void cutOff(int client) {
        cuts.incrementAndGet();
        networks.get(client).hold();
    }

    void reconnect(int client) {
        cuts.incrementAndGet();
        networks.get(client).pass();
    }

    void heal() {
        Runnable end = healing;
        healing = () -> {};
        end.run();
    }

    @Override
    public void close() {
        networks.forEach(FaultProxy::close);
        standby.close();
        server.close();
    }
}
