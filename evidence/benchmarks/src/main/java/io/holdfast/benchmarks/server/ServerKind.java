package io.holdfast.benchmarks.server;

import java.nio.file.Files;
import java.nio.file.Path;

/** A kind of server, and whether it writes a change to the disk before it replies. */
public enum ServerKind {
    /** Redis without persistence, as Holdfast expects it: a server that was restarted does not vote for a while. */
    REDIS(false),
    /** Redis with an append-only file, which is on the disk before each reply. */
    REDIS_DURABLE(true),
    /** An ensemble of ZooKeeper, or one server: a change is on the disks of a majority before the reply. */
    ZOOKEEPER(true),
    /** A cluster of etcd, or one server: a change is on the disks of a majority before the reply. */
    ETCD(true);

    private final boolean durable;

    ServerKind(boolean durable) {
        this.durable = durable;
    }

    /** Returns whether a change is on the disk before the server replies. */
    public boolean isDurable() {
        return durable;
    }

    /** Returns whether this machine has the server. The testkit brings Redis. */
    public boolean isInstalled() {
        return switch (this) {
            case REDIS, REDIS_DURABLE -> true;
            case ZOOKEEPER -> Files.isReadable(ZooKeeperServers.JAR);
            case ETCD -> Files.isExecutable(EtcdServers.BINARY);
        };
    }

    /** Returns a sentence that says what is missing and what installs it. */
    public String absence(String library) {
        Path file = this == ZOOKEEPER ? ZooKeeperServers.JAR : EtcdServers.BINARY;
        String debianPackage = this == ZOOKEEPER ? "zookeeper" : "etcd-server";
        return library + " is left out: there is no " + file + "; apt-get install " + debianPackage;
    }

    /** Starts servers and returns when they reply. */
    public LockServers start(int count) {
        return switch (this) {
            case REDIS, REDIS_DURABLE -> RedisLockServers.start(count, durable);
            case ZOOKEEPER -> ZooKeeperServers.start(count);
            case ETCD -> EtcdServers.start(count);
        };
    }
}
