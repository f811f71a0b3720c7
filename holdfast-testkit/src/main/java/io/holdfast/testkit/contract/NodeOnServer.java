package io.holdfast.testkit.contract;

import io.holdfast.LockOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.SystemTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A new server, and a node on it. */
final class NodeOnServer implements AutoCloseable {

    private final SystemTime time = new SystemTime();
    private final RedisServer server = RedisServer.start();
    private final LockNode node;

    /** Starts a node that votes with scripts. */
    NodeOnServer() {
        this("", true);
    }

    /**
     * Starts a node that votes as the parameter of its address says.
     *
     * @param guarded whether the node requires an admission; the new server is admitted
     */
    NodeOnServer(String parameter, boolean guarded) {
        NodeSettings settings = new NodeSettings(
                new QuorumConfig(1, LockOptions.MAX_LEASE), guarded, PatientOptions.CLIENT.connectTimeout());
        this.node = ClientUnderTest.connect(URI.create(server.uri() + parameter), settings, time);
    }

    LockNode node() {
        return node;
    }

    RedisServer server() {
        return server;
    }

    /** Returns when the server's clock has advanced by at least the duration. */
    void letTimePass(Duration duration) {
        long end = clockMicros() + duration.toNanos() / 1_000 + 1_000;
        Eventually.eventually("the server's clock has advanced", () -> clockMicros() > end);
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
