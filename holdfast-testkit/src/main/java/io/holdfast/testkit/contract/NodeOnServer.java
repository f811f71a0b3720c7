package io.holdfast.testkit.contract;

import io.holdfast.LockOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.SystemTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A server of its own, and a node on it. */
final class NodeOnServer implements AutoCloseable {

    private final SystemTime time = new SystemTime();
    private final RedisServer server = RedisServer.start();
    private final LockNode node;

    /** That votes by scripts. */
    NodeOnServer() {
        this("", true);
    }

    /**
     * That votes as the parameter of its address says.
     *
     * @param guarded whether it is in quarantine until it is admitted, from which the server is exempt as it is new
     */
    NodeOnServer(String parameter, boolean guarded) {
        NodeSettings terms =
                new NodeSettings(new QuorumConfig(1, LockOptions.MAX_LEASE), guarded, Duration.ofSeconds(2));
        this.node = ClientUnderTest.connect(URI.create(server.uri() + parameter), terms, time);
    }

    LockNode node() {
        return node;
    }

    RedisServer server() {
        return server;
    }

    /** Returns when the server's clock has moved on by at least so much. */
    void letTimePass(Duration duration) {
        long end = clockMicros() + duration.toNanos() / 1_000 + 1_000;
        Eventually.eventually("the server's clock has moved on", () -> clockMicros() > end);
    }

    long clockMicros() {
        List<?> now = (List<?>) Objects.requireNonNull(server.exec("TIME"));
        return Long.parseLong((String) now.get(0)) * 1_000_000 + Long.parseLong((String) now.get(1));
    }

    @Override
    public void close() {
        node.close();
        server.close();
        time.close();
    }
}
