/** A vote on Redis or Valkey, over whatever client brings the port. */
module io.holdfast.redis {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;

    exports io.holdfast.redis;
}
