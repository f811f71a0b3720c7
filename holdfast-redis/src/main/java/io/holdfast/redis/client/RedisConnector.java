package io.holdfast.redis.client;

import java.util.concurrent.CompletionStage;

/** How a Redis client connects to one node. Implementations are thread-safe. */
public interface RedisConnector {

    /** The address without its password. */
    String name();

    /** Begins one attempt, which ends in the end: a server that accepts and then is silent makes it fail. Blocks nobody. */
    CompletionStage<RedisConnection> connect();

    /** Why an attempt has failed, in one line without a password, with the remedy where one is known. */
    String explain(Throwable failure);

    /** There will be no further attempt. */
    void close();
}
