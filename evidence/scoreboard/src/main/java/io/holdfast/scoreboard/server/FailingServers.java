package io.holdfast.scoreboard.server;

import java.net.URI;
import java.util.List;

/** Servers that are killed, restarted and replaced on command. */
public interface FailingServers extends AutoCloseable {

    /** Returns the addresses of the servers. */
    List<URI> uris();

    /** Kills the first server, as a crash does. */
    void kill();

    /** Starts the first server again, with the data that it has on its disk. */
    void restart();

    /** Kills the first server, and starts it without its data. */
    void restartEmpty();

    /**
     * Fails over: the first server of Redis or PostgreSQL is killed, and clients are led to a replica that has not
     * received what was written since the start; of an ensemble, the leader is killed.
     */
    void failOver(Networks networks);

    /**
     * Restarts all servers, one after another: those of Redis without their data, others with it, each when the one
     * before is ready again.
     */
    void restartInTurn() throws InterruptedException;

    @Override
    void close();
}
