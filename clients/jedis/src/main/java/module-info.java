import io.holdfast.jedis.JedisNodes;
import io.holdfast.node.NodeProvider;

/** Nodes over Jedis, found by {@code Holdfast.connect}. */
module io.holdfast.jedis {
    requires transitive io.holdfast.redis;
    requires static transitive org.jspecify;
    requires redis.clients.jedis;

    exports io.holdfast.jedis;

    provides NodeProvider with
            JedisNodes;
}
