package io.holdfast;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.time.Time;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;

/** Connects to the addresses that a user gives. */
final class NodeAddresses {

    private NodeAddresses() {}

    /** Returns the Redis clients that the service loader finds. */
    static List<NodeProvider> clients() {
        List<NodeProvider> clients = ServiceLoader.load(NodeProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (clients.isEmpty()) {
            throw new IllegalStateException(
                    "No Redis client for Holdfast on the class path; add the artifact io.holdfast:holdfast-lettuce"
                            + " or io.holdfast:holdfast-jedis");
        }
        return clients;
    }

    /** Connects with the first client that supports all addresses. The clients are looked up once the addresses are valid. */
    static List<LockNode> connect(
            List<String> addresses, Supplier<List<NodeProvider>> clients, NodeSettings parameters, Time time) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("No nodes; give at least one address, such as redis://localhost:6379");
        }
        List<URI> uris = addresses.stream().map(NodeAddresses::parse).toList();
        requireDistinctNames(uris.stream().map(NodeAddresses::place).toList());
        return List.copyOf(client(uris, clients.get()).connect(uris, parameters, time));
    }

    static List<LockNode> requireDistinct(List<LockNode> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("No nodes; give at least one");
        }
        requireDistinctNames(nodes.stream().map(LockNode::name).toList());
        return nodes;
    }

    private static void requireDistinctNames(List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException(
                        "The node " + name + " is given twice; each node has one vote, so name each server once");
            }
        }
    }

    private static URI parse(String address) {
        URI uri;
        try {
            uri = new URI(address.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + withoutPassword(address) + "' is not an address: " + e.getReason()
                    + "; write redis://host:6379, with special characters of a password as %XX");
        }
        if (uri.getScheme() == null || uri.getRawAuthority() == null) {
            throw new IllegalArgumentException("'" + withoutPassword(address)
                    + "' is not an address of a node; write redis://host:6379, or rediss://host:6380 for TLS");
        }
        return uri;
    }

    /** Returns the address without the user: two addresses of the same place are the same node. */
    private static String place(URI uri) {
        String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
        String hosts = uri.getRawAuthority().replaceFirst(".*@", "");
        int port = uri.getPort() < 0 ? 6379 : uri.getPort();
        return uri.getScheme() + "://" + (uri.getHost() == null ? hosts : uri.getHost() + ":" + port) + fragment;
    }

    private static String withoutPassword(String address) {
        return address.replaceAll("//[^/]*@", "//…@");
    }

    private static NodeProvider client(List<URI> uris, List<NodeProvider> clients) {
        return clients.stream()
                .filter(client -> uris.stream().allMatch(uri -> client.supports(uri.getScheme())))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No client connects to all of "
                        + uris.stream().map(NodeAddresses::place).toList()
                        + "; the schemes are redis://, redis-sentinel:// and redis-cluster://, and with TLS rediss://,"
                        + " rediss-sentinel:// and rediss-cluster://"));
    }
}
