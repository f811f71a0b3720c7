package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeTerms;
import io.holdfast.redis.RedisNodes;
import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * Connects to {@code redis://} and {@code rediss://} (TLS) addresses with Lettuce. Found by itself when it is on the class
 * path; there is nothing to call.
 */
public final class LettuceNodes implements NodeProvider {

    private static final Set<String> SCHEMES = Set.of("redis", "rediss");

    @Override
    public boolean supports(String scheme) {
        return SCHEMES.contains(scheme);
    }

    @Override
    public List<LockNode> connect(List<URI> addresses, NodeTerms terms, Time time) {
        LettuceClient client = new LettuceClient(addresses.size());
        try {
            return RedisNodes.connect(
                    addresses,
                    address -> new LettuceConnector(client, address, terms.connectTimeout(), time),
                    terms,
                    time);
        } catch (RuntimeException e) {
            addresses.forEach(address -> client.leave());
            throw e;
        }
    }
}
