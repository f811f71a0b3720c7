package io.holdfast.faults;

import io.holdfast.testkit.Appendonly;
import io.holdfast.testkit.ConnectionEnd;
import io.holdfast.testkit.Direction;
import io.holdfast.testkit.FaultProxy;
import io.holdfast.testkit.RedisServer;
import io.holdfast.testkit.RedisServerOptions;
import java.time.Duration;

/** A server behind a network, both of which fail on command; one fault at a time. */
final class FaultyServer implements AutoCloseable {

    private static final Duration SLOWNESS = Duration.ofMillis(20);

    private final RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT.withAppendonly(Appendonly.ALWAYS));
    private final FaultProxy network = FaultProxy.to(server.uri());
    private Runnable healing = () -> {};

    String uri() {
        return network.uri().toString();
    }

    RedisServer server() {
        return server;
    }

    /** Makes a fault that lasts until {@link #heal}, or that is over at once. */
    void fail(FaultKind kind) {
        switch (kind) {
            case KILL_AND_FORGET -> lasting(server::kill, server::restartEmpty);
            case KILL_AND_REMEMBER -> lasting(server::kill, server::restartKeepingMemory);
            case FREEZE -> lasting(server::freeze, server::thaw);
            case RESTART_EMPTY -> server.restartEmpty();
            case FLUSH -> server.exec("FLUSHALL");
            case FORGET_SCRIPTS -> server.exec("SCRIPT", "FLUSH");
            case KILL_CONNECTIONS -> server.exec("CLIENT", "KILL", "TYPE", "normal");
            case BLACK_HOLE -> lasting(network::hold, network::pass);
            case DEAF -> lasting(() -> network.hold(Direction.REPLIES), network::pass);
            case SLOW -> lasting(() -> network.delay(SLOWNESS), network::pass);
            case RESET -> network.drop(ConnectionEnd.RESET);
        }
    }

    private void lasting(Runnable begin, Runnable end) {
        begin.run();
        healing = end;
    }

    void heal() {
        Runnable end = healing;
        healing = () -> {};
        end.run();
    }

    @Override
    public void close() {
        network.close();
        server.close();
    }
}
