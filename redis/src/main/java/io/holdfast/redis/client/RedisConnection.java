package io.holdfast.redis.client;

import java.util.concurrent.CompletableFuture;

/** A session that a client has opened, with its end. A connection never reconnects: another one replaces it. */
public interface RedisConnection extends RedisSession {

    /** Returns a future that completes normally when the connection has ended, for whatever reason. */
    CompletableFuture<Void> ended();

    /** Returns {@code true} if the server has replied to a command on this connection. */
    boolean hasReplied();

    /**
     * Ends the connection. Returns a future that completes when its resources are free. Has no effect the second time.
     */
    CompletableFuture<Void> close();
}
