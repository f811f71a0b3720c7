package io.holdfast.faults;

import io.holdfast.testkit.Appendonly;
import io.holdfast.testkit.ConnectionEnd;
import io.holdfast.testkit.Direction;
import io.holdfast.testkit.FaultProxy;
import io.holdfast.testkit.RedisServer;
import io.holdfast.testkit.RedisServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A server, and the network between it and each client; all of them fail on command, one fault at a time. A network fault strikes
 * one client alone or all, so that one may be cut off while its rivals are not.
 */
final class FaultyServer implements AutoCloseable {

    private static final Duration SLOWNESS = Duration.ofMillis(20);
    /** Far more than calls take, and no more than a message that is too long. */
    private static final int INBOX_BYTES = 100_000;

    private final RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT.withAppendonly(Appendonly.ALWAYS));
    private final List<FaultProxy> networks;
    private Runnable healing = () -> {};

    FaultyServer(int clients) {
        networks = Stream.generate(() -> FaultProxy.to(server.uri()))
                .limit(clients)
                .toList();
    }

    /** Where this client connects to. */
    String uri(int client) {
        return networks.get(client).uri().toString();
    }

    RedisServer server() {
        return server;
    }

    /** Makes a fault that lasts until {@link #heal}, or that is over at once. */
    void fail(FaultKind kind, Random random) {
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
                    // What is on its way is lost: claims that have landed among them, whose replies have not come back.
                    struck.forEach(network -> network.drop(ConnectionEnd.RESET));
                    struck.forEach(FaultProxy::pass);
                });
            case RESET -> struck.forEach(network -> network.drop(ConnectionEnd.RESET));
            case CUT_OFF, KILL_CLIENT -> throw new IllegalArgumentException(kind + " strikes a client, not a server");
        }
    }

    private void fillInboxes() {
        server.exec("CONFIG", "SET", "client-output-buffer-limit", "pubsub " + INBOX_BYTES + " 0 0");
        String tooMuch = "x".repeat(2 * INBOX_BYTES);
        for (Object inbox : (List<?>) Objects.requireNonNull(server.exec("PUBSUB", "CHANNELS", "holdfast:inbox:*"))) {
            server.exec("PUBLISH", String.valueOf(inbox), tooMuch);
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
        networks.get(client).hold();
    }

    void reconnect(int client) {
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
        server.close();
    }
}
