package io.holdfast.jedis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.RedisNodes;
import io.holdfast.redis.client.ClientVersion;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;
import redis.clients.jedis.HostAndPort;

/**
 * Connects to {@code redis://} and {@code rediss://} (TLS) addresses, and to masters that Sentinels know, with Jedis. Found by itself when it is on the class path; there
 * is nothing to call.
 *
 * <p>Each node has one connection with two threads of its own, one that writes and one that reads, and no pool: a pool gives up a
 * connection when an answer is late, and what is sent over the next one, a release perhaps, overtakes what it should undo.
 */
public final class JedisNodes implements NodeProvider {

    /** The oldest that Spring Boot 4 chooses. */
    static final ClientVersion VERSION = new ClientVersion("Jedis", "redis.clients:jedis", 7, 0);

    @Override
    public boolean supports(String scheme) {
        return RedisAddress.supports(scheme);
    }

    @Override
    public List<LockNode> connect(List<URI> addresses, NodeSettings settings, Time time) {
        VERSION.require(HostAndPort.class);
        return RedisNodes.connect(
                addresses,
                address -> new JedisConnector(address, settings, settings.security(), time),
                address -> new JedisConnector(address, settings, settings.security().withoutCredentials(), time),
                settings,
                time);
    }
}
