package io.holdfast.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Opens connections to one address with a Redis client. Implementations are thread-safe. */
public interface RedisConnector {

    /** Returns the address without its password. */
    String name();

    /**
     * Starts one attempt to connect, without blocking. The attempt always ends: a server that accepts the connection
     * and then is silent makes it fail.
     */
    CompletionStage<RedisConnection> connect();

    /** Explains why an attempt failed. */
    ConnectFailure explain(Throwable failure);

    /**
     * Frees the resources of this connector. No attempt follows. The stage completes when nothing is left of what the
     * connectors of one client share, which is after the last of them is closed. By default, there is nothing to free.
     */
    default CompletionStage<?> close() {
        return CompletableFuture.completedFuture(null);
    }
}
