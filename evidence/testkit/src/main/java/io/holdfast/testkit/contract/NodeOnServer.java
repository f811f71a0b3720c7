package io.holdfast.testkit.contract;

import io.holdfast.LockOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.time.SystemTime;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A new server, and a node on it. */
final class NodeOnServer implements TestedNode {

    private static final Duration RESOLUTION = Duration.ofMillis(1);

    private final SystemTime time = new SystemTime();
    private final @Nullable ServerClock clock;
    private final RedisServer server;
    private final LockNode node;

    /** Starts a node that votes with scripts, on a server with the clock of the machine. */
    NodeOnServer() {
        this("", true, null);
    }

    private NodeOnServer(String parameter, boolean guarded, @Nullable ServerClock clock) {
        this.clock = clock;
        this.server = RedisServer.start(clock == null ? RedisServerOptions.DEFAULT : clock.options());
        NodeSettings settings = new NodeSettings(
                new QuorumConfig(1, LockOptions.MAX_LEASE), guarded, PatientOptions.CLIENT.connectTimeout());
        this.node = ClientUnderTest.connect(URI.create(server.uri() + parameter), settings, time);
        stopClockAt(clockMicros());
    }

    /**
     * Starts a node on a server whose clock stands still unless a test lets time pass, where the machine supports that.
     * So nothing expires although the machine is slow.
     *
     * @param parameter how the node votes, as in its address
     * @param guarded whether the node requires an admission; the new server is admitted
     * @param directory for the files of the clock
     */
    static NodeOnServer withStoppedClock(String parameter, boolean guarded, Path directory) {
        return new NodeOnServer(parameter, guarded, ServerClock.isAvailable() ? ServerClock.in(directory) : null);
    }

    @Override
    public LockNode node() {
        return node;
    }

    RedisServer server() {
        return server;
    }

    /** Returns when the server's clock has advanced by at least the duration. */
    @Override
    public synchronized void letTimePass(Duration duration) {
        long end = clockMicros() + duration.plus(RESOLUTION).toNanos() / 1_000;
        stopClockAt(end);
        Eventually.eventually("the server's clock has advanced", () -> clockMicros() >= end);
    }

    private void stopClockAt(long micros) {
        if (clock != null) {
            clock.stopAt(micros);
        }
    }

    @Override
    public long clockMicros() {
        List<?> now = (List<?>) Objects.requireNonNull(server.exec("TIME"));
        return Long.parseLong((String) now.get(0)) * 1_000_000 + Long.parseLong((String) now.get(1));
    }

    @Override
    public void expireNow(String resource) {
        server.exec("DEL", resource);
    }

    @Override
    public void startQuarantine() {
        server.exec("DEL", "holdfast:marker");
    }

    @Override
    public void close() {
        node.close();
        server.close();
        time.close();
    }
}
