package io.holdfast.scoreboard.server;

import io.holdfast.benchmarks.server.Ensemble;
import io.holdfast.benchmarks.server.PostgresServer;

/** The kinds of servers on which the contestants keep their locks. */
public enum ServerKind {
    /** Independent servers of Redis, whose append-only files are on the disk before each reply. */
    REDIS,
    /** One server of PostgreSQL. */
    POSTGRESQL,
    /** An ensemble of ZooKeeper. */
    ZOOKEEPER,
    /** A cluster of etcd. */
    ETCD;

    public boolean isInstalled() {
        return switch (this) {
            case REDIS -> true;
            case POSTGRESQL -> PostgresServer.isInstalled();
            case ZOOKEEPER, ETCD -> ensemble().isInstalled();
        };
    }

    private io.holdfast.benchmarks.server.ServerKind ensemble() {
        return io.holdfast.benchmarks.server.ServerKind.valueOf(name());
    }

    /** Returns whether the wall clock and the disk of a server can be changed. */
    public boolean canPreload() {
        return this == REDIS || this == POSTGRESQL;
    }

    /** Starts servers and returns when they reply. */
    public FailingServers start(Setup setup) {
        return switch (this) {
            case REDIS -> RedisFailures.start(setup);
            case POSTGRESQL -> EnsembleFailures.postgres(setup);
            case ZOOKEEPER, ETCD -> new EnsembleFailures((Ensemble) ensemble().start(setup.nodes()), null);
        };
    }
}
