package io.holdfast;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeTerms;
import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;

/** The first of the Redis clients on the class path that knows what it is asked for. */
final class FoundClient implements NodeProvider {

    private final List<NodeProvider> found;

    FoundClient() {
        this.found = ServiceLoader.load(NodeProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    @Override
    public boolean supports(String scheme) {
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    "No Redis client for Holdfast on the class path; add the artifact io.holdfast:holdfast-lettuce"
                            + " or io.holdfast:holdfast-jedis");
        }
        return found.stream().anyMatch(client -> client.supports(scheme));
    }

    @Override
    public List<LockNode> connect(List<URI> addresses, NodeTerms terms, Time time) {
        return found.stream()
                .filter(client -> addresses.stream().allMatch(address -> client.supports(address.getScheme())))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "No one client on the class path knows all schemes of the addresses; give those of one"))
                .connect(addresses, terms, time);
    }
}
