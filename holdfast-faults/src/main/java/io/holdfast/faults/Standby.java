package io.holdfast.faults;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisReplyException;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;

/** A replica beside a server, which can take its place and give it back. Both processes live on, and so do all connections. */
final class Standby implements AutoCloseable {

    /** A master begins to send its data at once, instead of waiting 5 s for more replicas. */
    static final RedisServerOptions OPTIONS = RedisServerOptions.DEFAULT.withConfig("repl-diskless-sync-delay 0");

    private static final Duration SYNC_LIMIT = Duration.ofSeconds(20);

    private final RedisServer master;
    private final RedisServer replica = RedisServer.start(OPTIONS);

    Standby(RedisServer master) {
        this.master = master;
    }

    RedisServer server() {
        return replica;
    }

    /** The replica is a master from now on, and the master its replica. Never are both of them masters. */
    void takeOver() {
        follow(replica, master);
        replicate(master, replica);
        promote(replica);
    }

    /** The former master takes its place again, with the data of the replica. */
    void giveBack() {
        awaitLink(master);
        replicate(replica, master);
        promote(master);
    }

    /** The replica keeps the present data, and follows nobody any more; no client votes there. */
    void fork() {
        replica.exec("CLIENT", "KILL", "TYPE", "pubsub");
        replica.exec("CLIENT", "KILL", "TYPE", "normal");
        follow(replica, master);
        promote(replica);
    }

    /** The master forgets what came after {@link #fork}. */
    void goBack() {
        follow(master, replica);
        promote(master);
    }

    private static void follow(RedisServer one, RedisServer other) {
        replicate(one, other);
        awaitLink(one);
    }

    private static void replicate(RedisServer one, RedisServer other) {
        one.exec("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));
    }

    private static void promote(RedisServer one) {
        one.exec("REPLICAOF", "NO", "ONE");
    }

    private static void awaitLink(RedisServer one) {
        Eventually.within(SYNC_LIMIT, one + " is in sync", () -> {
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
