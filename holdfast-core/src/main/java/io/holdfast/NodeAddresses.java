package io.holdfast;

import io.holdfast.client.NodeProviders;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.time.Time;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Connects to the addresses that a user gives. */
final class NodeAddresses {

    private static final int GREATEST_PORT = 65_535;
    private static final String DATABASE = "/\\d{0,9}";

    private NodeAddresses() {}

    /** Connects with the first client that supports all addresses. The clients are looked up once the addresses are valid. */
    static List<LockNode> connect(
            List<String> addresses, Supplier<NodeProviders> clients, NodeSettings parameters, Time time) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("No nodes; give at least one address, such as redis://localhost:6379");
        }
        List<URI> uris = IntStream.range(0, addresses.size())
                .mapToObj(index -> parse(addresses, index))
                .toList();
        requireDistinctNames(uris.stream().map(NodeAddresses::place).toList());
        NodeProviders found = clients.get();
        if (!found.supportAll(uris)) {
            throw unsupported(uris, found);
        }
        return found.connect(uris, parameters, time);
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

    private static URI parse(List<String> addresses, int index) {
        try {
            URI uri = new URI(addresses.get(index).strip());
            require(uri.getScheme() != null && uri.getRawAuthority() != null, "it does not begin with redis://host");
            requireHosts(uri);
            requirePassword(uri);
            String path = uri.getRawPath();
            require(
                    path.isEmpty() || path.matches(DATABASE),
                    "behind its host is more than the number of the database");
            require(uri.getRawFragment() == null || isGroup(uri), "it contains #");
            String rest = uri.getRawQuery() + uri.getRawFragment();
            require(!rest.contains("@"), "it contains @ behind ? or #");
            return uri;
        } catch (URISyntaxException e) {
            throw invalid(index, e.getReason());
        } catch (InvalidAddress e) {
            throw invalid(index, String.valueOf(e.getMessage()));
        }
    }

    /** The reason why an address is not valid, which contains nothing of it. */
    private static final class InvalidAddress extends Exception {

        private static final long serialVersionUID = 1L;

        InvalidAddress(String reason) {
            super(reason, null, false, false);
        }
    }

    private static void require(boolean rule, String otherwise) throws InvalidAddress {
        if (!rule) {
            throw new InvalidAddress(otherwise);
        }
    }

    /** Returns {@code true} for the address of Sentinels or of a cluster, which may have several hosts and a fragment. */
    private static boolean isGroup(URI uri) {
        return uri.getScheme().contains("-");
    }

    /** Rejects an address without a host, because clients connect to this machine instead. */
    private static void requireHosts(URI uri) throws InvalidAddress, URISyntaxException {
        String authority = uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String[] hosts = authority.substring(at + 1).split(",", -1);
        require(hosts.length == 1 || isGroup(uri), "it contains a comma");
        for (String host : hosts) {
            URI single = new URI("node://" + authority.substring(0, at + 1) + host);
            require(single.getHost() != null && !single.getHost().isEmpty(), "it contains no host");
            int port = single.getPort();
            require(port == -1 || (port >= 1 && port <= GREATEST_PORT), "its port is not between 1 and 65535");
        }
    }

    /** Without a colon, some clients read the part before @ as a user, and others as a password. */
    private static void requirePassword(URI uri) throws InvalidAddress {
        String authority = uri.getRawAuthority();
        String login = authority.substring(0, authority.lastIndexOf('@') + 1);
        require(
                login.isEmpty() || login.contains(":"),
                "it has a user without a password, or a password without the colon of redis://:password@host");
    }

    /** Names an address by its position only: a part of a malformed address may be a part of its password. */
    private static IllegalArgumentException invalid(int index, String reason) {
        return new IllegalArgumentException(
                "The " + ordinal(index + 1) + " address is not valid: " + reason
                        + "; write redis://host:6379 or redis://user:password@host:6379, with special characters of the password as %XX");
    }

    private static String ordinal(int number) {
        boolean isTeen = number % 100 / 10 == 1;
        return number
                + (isTeen
                        ? "th"
                        : switch (number % 10) {
                            case 1 -> "st";
                            case 2 -> "nd";
                            case 3 -> "rd";
                            default -> "th";
                        });
    }

    /** Returns the address without the user: two addresses of the same place are the same node. */
    private static String place(URI uri) {
        String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
        String hosts = uri.getRawAuthority().replaceFirst(".*@", "");
        int port = uri.getPort() < 0 ? 6379 : uri.getPort();
        return uri.getScheme() + "://" + (uri.getHost() == null ? hosts : uri.getHost() + ":" + port) + fragment;
    }

    private static IllegalArgumentException unsupported(List<URI> uris, NodeProviders clients) {
        String wrong = IntStream.range(0, uris.size())
                .filter(index -> !clients.support(uris.get(index).getScheme()))
                .mapToObj(index -> "The " + ordinal(index + 1) + " address has an unknown scheme")
                .findFirst()
                .orElse("No client connects to all addresses");
        return new IllegalArgumentException(wrong
                + "; the schemes are redis://, redis-sentinel:// and redis-cluster://, and with TLS rediss://,"
                + " rediss-sentinel:// and rediss-cluster://");
    }
}
