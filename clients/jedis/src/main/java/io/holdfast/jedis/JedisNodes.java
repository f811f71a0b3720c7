package io.holdfast.jedis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.RedisNodes;
import io.holdfast.redis.client.ClientVersion;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.time.Time;
import java.util.List;
import redis.clients.jedis.HostAndPort;

/**
 * Connects to Redis servers, masters of Sentinels and clusters with Jedis, by {@code redis://} and {@code rediss://}
 * (TLS) addresses. {@code Holdfast.connect} finds this class on the class path; applications need not call it.
 *
 * <p>Each node has one connection with two threads, one that writes and one that reads, instead of a pool. A pool
 * abandons a connection when a reply is late, and a release over the next one could then overtake the acquire that it
 * should undo.
 */
public final class JedisNodes implements NodeProvider {

    /** The oldest version that Spring Boot 4 selects. */
    static final ClientVersion VERSION = new ClientVersion("Jedis", "redis.clients:jedis", 7, 0);

    @Override
    public boolean supports(String scheme) {
        return RedisAddress.supports(scheme);
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        VERSION.require(HostAndPort.class);
        return RedisNodes.connect(
                addresses,
                address -> new JedisConnector(address, settings, settings.security(), time),
                address -> new JedisConnector(
                        address, settings, settings.security().ofSentinels(), time),
                settings,
                time);
    }

    /**
     * Rejects the addresses that {@link #connect} rejects, without a connection.
     *
     * @throws IllegalArgumentException if an address cannot be connected to
     */
    public void check(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        RedisNodes.check(addresses, address -> new JedisConnector(address, settings, settings.security(), time));
    }
}
