package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeTerms;
import io.holdfast.redis.RedisNodes;
import io.holdfast.time.Time;
import io.lettuce.core.RedisURI;
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
        List<RedisURI> uris = addresses.stream().map(LettuceConnector::parse).toList();
        LettuceClient client = new LettuceClient(uris.size());
        List<LettuceConnector> connectors = uris.stream()
                .map(uri -> new LettuceConnector(client, uri, terms.connectTimeout(), time))
                .toList();
        return RedisNodes.connect(connectors, terms, time);
    }
}
