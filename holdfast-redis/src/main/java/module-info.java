/** A node on a Redis or Valkey server, over any client that implements {@code io.holdfast.redis.client}. */
module io.holdfast.redis {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;

    exports io.holdfast.redis;
    exports io.holdfast.redis.client;
}
