package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.RedisNodes;
import io.holdfast.redis.client.ClientVersion;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.time.Time;
import io.lettuce.core.RedisURI;
import java.util.List;

/**
 * Connects to Redis servers, masters of Sentinels and clusters with Lettuce, by {@code redis://} and {@code rediss://}
 * (TLS) addresses. {@code Holdfast.connect} finds this class on the class path; applications need not call it.
 */
public final class LettuceNodes implements NodeProvider {

    /** The oldest version that Spring Boot 4 selects. */
    static final ClientVersion VERSION = new ClientVersion("Lettuce", "io.lettuce:lettuce-core", 6, 8);

    @Override
    public boolean supports(String scheme) {
        return RedisAddress.supports(scheme);
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        VERSION.require(RedisURI.class);
        // Lettuce clears an interrupt when it builds its resources.
        boolean interrupted = Thread.currentThread().isInterrupted();
        LettuceClient client = new LettuceClient(settings.connectTimeout(), settings.security(), time);
        try {
            return RedisNodes.connect(
                    addresses,
                    address -> new LettuceConnector(client, address, settings, settings.security(), time),
                    address -> new LettuceConnector(
                            client, address, settings, settings.security().ofSentinels(), time),
                    settings,
                    time);
        } finally {
            client.leave();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
