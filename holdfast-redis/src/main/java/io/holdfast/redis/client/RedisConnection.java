package io.holdfast.redis.client;

import java.util.concurrent.CompletableFuture;

/** A session as a client has made it, with its end. Ended for good: what replaces it is another one. */
public interface RedisConnection extends RedisSession {

    /** Completes when the connection has ended, for whatever reason. */
    CompletableFuture<Void> ended();

    /** Whether the server has ever answered a command on it. */
    boolean hasHeard();

    /** Ends it; the future completes when its resources are free. Has no effect the second time. */
    CompletableFuture<Void> close();
}
