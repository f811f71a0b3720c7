package io.holdfast.client;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.quorum.NodeSets;
import io.holdfast.time.Time;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Connects to the addresses that a user gives. */
public final class NodeAddresses {

    private static final int USUAL_PORT = 6379;

    private NodeAddresses() {}

    /**
     * Connects with the first client that supports all addresses. The clients are looked up once the addresses are
     * valid.
     */
    public static List<LockNode> connect(
            List<String> addresses, Supplier<NodeProviders> clients, NodeSettings parameters, Time time) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("No nodes; give at least one address, such as redis://localhost:6379");
        }
        List<NodeAddress> uris = IntStream.range(0, addresses.size())
                .mapToObj(index -> parse(addresses, index))
                .toList();
        requireDistinctNames(uris.stream().map(NodeAddresses::place).toList());
        NodeProviders found = clients.get();
        if (!found.supportAll(uris)) {
            throw unsupported(uris, found);
        }
        return found.connect(uris, parameters, time);
    }

    /** Returns the nodes if there is one at least, and each has a name of its own. */
    public static List<LockNode> requireDistinct(List<LockNode> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("No nodes; give at least one");
        }
        requireDistinctNames(nodes.stream().map(LockNode::name).toList());
        return nodes;
    }

    /**
     * Checks that no node of the previous set takes part in the present one: all clients of a node agree on its set.
     */
    public static void requireApart(List<String> present, List<String> previous) {
        if (!present.isEmpty()) {
            // Throws if there are too many nodes, before any of them is connected.
            NodeSets.of(present.size()).withPrevious(previous.size());
        }
        if (previous.isEmpty()) {
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < present.size(); i++) {
            names.add(database(parse(present, i)));
        }
        for (int i = 0; i < previous.size(); i++) {
            NodeAddress node = parse(previous, i);
            if (names.contains(database(node))) {
                throw new IllegalArgumentException("The node " + node
                        + " is in the present and in the previous set; let the server take part in the present one "
                        + "with another database, such as redis://host:6379/1");
            }
        }
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

    private static NodeAddress parse(List<String> addresses, int index) {
        try {
            return NodeAddress.parse(addresses.get(index));
        } catch (IllegalArgumentException e) {
            throw invalid(index, String.valueOf(e.getMessage()));
        }
    }

    /** Names an address by its position only: a part of a malformed address may be a part of its password. */
    private static IllegalArgumentException invalid(int index, String reason) {
        return new IllegalArgumentException("The " + ordinal(index + 1) + " address is not valid: " + reason
                + "; write redis://host:6379 or redis://user:password@host:6379, with special characters of "
                + "the password as %XX");
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

    private static String database(NodeAddress address) {
        return place(address) + "/" + address.database();
    }

    /** Returns the address without the user: two addresses of the same place are the same node. */
    private static String place(NodeAddress address) {
        NodeAddress.Host host = address.hosts().get(0);
        return address.hosts().size() > 1 || !address.fragment().isEmpty()
                ? address.toString()
                : address.scheme() + "://" + host.name() + ":" + host.port().orElse(USUAL_PORT);
    }

    private static IllegalArgumentException unsupported(List<NodeAddress> uris, NodeProviders clients) {
        String wrong = IntStream.range(0, uris.size())
                .filter(index -> !clients.supports(uris.get(index).scheme()))
                .mapToObj(index -> "The " + ordinal(index + 1) + " address has an unknown scheme")
                .findFirst()
                .orElse("No client connects to all addresses");
        return new IllegalArgumentException(wrong
                + "; the schemes are redis://, redis-sentinel:// and redis-cluster://, and with TLS rediss://,"
                + " rediss-sentinel:// and rediss-cluster://");
    }
}
