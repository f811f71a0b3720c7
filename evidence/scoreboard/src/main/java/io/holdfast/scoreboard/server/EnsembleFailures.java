package io.holdfast.scoreboard.server;

import io.holdfast.benchmarks.server.Ensemble;
import io.holdfast.benchmarks.server.PostgresServer;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Servers of ZooKeeper or etcd, or one of PostgreSQL.
 *
 * @param replica a replica of the server of PostgreSQL, which has received nothing but the table; null without a
 *     standby, and for an ensemble
 */
record EnsembleFailures(Ensemble ensemble, @Nullable Ensemble replica) implements FailingServers {

    static EnsembleFailures postgres(Setup setup) {
        ServerClock clock = setup.clock();
        ServerDisk disk = setup.disk();
        Map<String, String> environment =
                clock != null ? clock.environment() : disk != null ? disk.environment() : Map.of();
        return new EnsembleFailures(
                PostgresServer.start(environment), setup.standby() ? PostgresServer.start(Map.of()) : null);
    }

    @Override
    public List<URI> uris() {
        return ensemble.uris();
    }

    @Override
    public void kill() {
        ensemble.kill(0);
    }

    @Override
    public void restart() {
        ensemble.start(0);
    }

    @Override
    public void restartEmpty() {
        ensemble.kill(0);
        ensemble.startEmpty(0);
    }

    @Override
    public void failOver(Networks networks) {
        ensemble.kill(ensemble.leader());
        if (replica != null) {
            networks.lead(0, replica.uris().get(0));
        }
    }

    @Override
    public void restartInTurn() {
        for (int i = 0; i < uris().size(); i++) {
            ensemble.kill(i);
            ensemble.start(i);
            ensemble.awaitReady(i);
        }
    }

    @Override
    public void close() {
        if (replica != null) {
            replica.close();
        }
        ensemble.close();
    }
}
