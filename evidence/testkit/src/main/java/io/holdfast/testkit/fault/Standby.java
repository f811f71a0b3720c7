package io.holdfast.testkit.fault;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisReplyException;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A replica of a server, which can be promoted and demoted again. Both processes and all connections stay alive. */
public final class Standby implements AutoCloseable {

    /** A master that sends its data at once, instead of waiting 5 s for more replicas. */
    public static final RedisServerOptions OPTIONS =
            RedisServerOptions.DEFAULT.withConfig("repl-diskless-sync-delay 0");

    private final RedisServer master;
    private final RedisServer replica = RedisServer.start(OPTIONS);

    /** Starts a server that is no replica yet. */
    public Standby(RedisServer master) {
        this.master = master;
    }

    public RedisServer server() {
        return replica;
    }

    /** Promotes the replica and makes the master its replica. There are never two masters. */
    public void takeOver() {
        follow(replica, master);
        replicate(master, replica);
        promote(replica);
    }

    /** Promotes the former master again, with the data of the replica. */
    public void restoreMaster() {
        awaitLink(master);
        replicate(replica, master);
        promote(master);
    }

    /** Promotes the replica with the current data beside the master; no client votes there. */
    public void diverge() {
        replica.exec("CLIENT", "KILL", "TYPE", "pubsub");
        replica.exec("CLIENT", "KILL", "TYPE", "normal");
        follow(replica, master);
        promote(replica);
    }

    /** Makes the master lose all writes since {@link #diverge}. */
    public void rollBack() {
        follow(master, replica);
        promote(master);
    }

    /** Makes one server a replica of the other, and waits until it is in sync. */
    public static void follow(RedisServer one, RedisServer other) {
        replicate(one, other);
        awaitLink(one);
    }

    private static void replicate(RedisServer one, RedisServer other) {
        one.exec("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));
    }

    /** Makes the server a master with its current data. */
    public static void promote(RedisServer one) {
        one.exec("REPLICAOF", "NO", "ONE");
    }

    private static void awaitLink(RedisServer one) {
        Eventually.eventually(one + " is in sync", () -> {
            try {
                String info = Objects.toString(one.exec("INFO", "replication"));
                return info.contains("master_link_status:up") && info.contains("master_sync_in_progress:0");
            } catch (RedisReplyException | UncheckedIOException stillLoading) {
                return false;
            }
        });
    }

    @Override
    public void close() {
        replica.close();
    }
}
