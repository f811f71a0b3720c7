/** Nodes on Redis and Valkey servers, over any Redis client that implements {@code io.holdfast.redis.client}. */
module io.holdfast.redis {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;

    exports io.holdfast.redis;
    exports io.holdfast.redis.client;
}
