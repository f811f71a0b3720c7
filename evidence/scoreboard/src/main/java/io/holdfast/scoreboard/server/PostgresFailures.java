package io.holdfast.scoreboard.server;

import io.holdfast.benchmarks.server.Ensemble;
import io.holdfast.benchmarks.server.PostgresServer;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server of PostgreSQL, and a replica that has received nothing but the table. */
final class PostgresFailures implements FailingServers {

    private final Ensemble server;
    private final @Nullable Ensemble replica;

    private PostgresFailures(Ensemble server, @Nullable Ensemble replica) {
        this.server = server;
        this.replica = replica;
    }

    static PostgresFailures start(Setup setup) {
        return new PostgresFailures(
                PostgresServer.start(environment(setup)), setup.standby() ? PostgresServer.start(Map.of()) : null);
    }

    private static Map<String, String> environment(Setup setup) {
        ServerClock clock = setup.clock();
        ServerDisk disk = setup.disk();
        return clock != null ? clock.environment() : disk != null ? disk.environment() : Map.of();
    }

    @Override
    public List<URI> uris() {
        return server.uris();
    }

    @Override
    public void kill() {
        server.kill(0);
    }

    @Override
    public void restart() {
        server.start(0);
    }

    @Override
    public void restartEmpty() {
        server.kill(0);
        server.startEmpty(0);
    }

    @Override
    public void failOver(Networks networks) {
        server.kill(0);
        networks.lead(0, Objects.requireNonNull(replica).uris().get(0));
    }

    @Override
    public void restartInTurn() {
        server.kill(0);
        server.start(0);
    }

    @Override
    public void close() {
        if (replica != null) {
            replica.close();
        }
        server.close();
    }
}
