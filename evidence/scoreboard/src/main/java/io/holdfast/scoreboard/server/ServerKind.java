package io.holdfast.scoreboard.server;

import io.holdfast.benchmarks.server.Ensemble;
import org.jspecify.annotations.Nullable;

/** The kinds of servers on which the contestants keep their locks. */
public enum ServerKind {
    /** Independent servers of Redis, whose append-only files are on the disk before each reply. */
    REDIS(null),
    /** An ensemble of ZooKeeper. */
    ZOOKEEPER(io.holdfast.benchmarks.server.ServerKind.ZOOKEEPER),
    /** A cluster of etcd. */
    ETCD(io.holdfast.benchmarks.server.ServerKind.ETCD);

    private final io.holdfast.benchmarks.server.@Nullable ServerKind ensemble;

    ServerKind(io.holdfast.benchmarks.server.@Nullable ServerKind ensemble) {
        this.ensemble = ensemble;
    }

    public boolean isInstalled() {
        return ensemble == null || ensemble.isInstalled();
    }

    /**
     * Returns whether the wall clock of a server can be changed. The program of etcd is linked statically; the sessions
     * of ZooKeeper do not use that clock.
     */
    public boolean canSetClock() {
        return this == REDIS;
    }

    /** Starts servers and returns when they reply. */
    public FailingServers start(Setup setup) {
        return ensemble == null
                ? RedisFailures.start(setup)
                : new EnsembleFailures((Ensemble) ensemble.start(setup.nodes()));
    }
}
