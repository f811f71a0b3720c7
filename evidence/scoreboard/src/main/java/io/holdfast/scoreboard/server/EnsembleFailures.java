package io.holdfast.scoreboard.server;

import io.holdfast.benchmarks.server.Ensemble;
import java.net.URI;
import java.util.List;

/** Servers of ZooKeeper or etcd. */
final class EnsembleFailures implements FailingServers {

    private final Ensemble ensemble;

    EnsembleFailures(Ensemble ensemble) {
        this.ensemble = ensemble;
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
        ensemble.close();
    }
}
