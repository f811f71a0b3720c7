package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.DaemonCall;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.ThreadWait;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Rejects a server that is named twice, such as by its name and its number. It has one vote, so a set of three servers
 * would be one of two.
 */
final class DistinctHosts {

    /** The longest wait for a name that no connection has resolved yet. Such a server gets no vote anyway. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private DistinctHosts() {}

    /** Compares the numeric addresses. Java knows those of the servers that have answered. */
    static void require(List<NodeStatus> nodes) {
        require(nodes, DistinctHosts::numeric, LIMIT);
    }

    /** Compares as {@link #require(List)} does. A host that is not resolved within the limit counts by its name. */
    static void require(List<NodeStatus> nodes, UnaryOperator<String> resolver, Duration limit) {
        List<NodeAddress.Host> hosts = new ArrayList<>();
        List<CompletableFuture<String>> numbers = new ArrayList<>();
        for (NodeStatus node : nodes) {
            NodeAddress address = NodeAddress.parse(node.name());
            if (!address.scheme().contains("-")) {
                NodeAddress.Host host = address.hosts().get(0);
                hosts.add(host);
                numbers.add(
                        node.state() == NodeStatus.State.UNREACHABLE
                                ? resolve(host, resolver)
                                : CompletableFuture.completedFuture(resolver.apply(host.name())));
            }
        }
        ThreadWait.uninterruptibly(
                ThreadWait::park, CompletableFuture.allOf(numbers.toArray(CompletableFuture<?>[]::new)), limit);
        requireDistinct(hosts, numbers);
    }

    private static void requireDistinct(List<NodeAddress.Host> hosts, List<CompletableFuture<String>> numbers) {
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            NodeAddress.Host host = hosts.get(i);
            String number = numbers.get(i).getNow(host.name());
            String name = host.toString();
            String other = names.putIfAbsent(number + ":" + host.port().orElseThrow(), name);
            if (other != null) {
                throw new Failure(
                        ExitCode.USAGE,
                        other + " and " + name + " are the same server, which has one vote; name each server once");
            }
        }
    }

    /** Resolves a name on a thread of its own, since a name server that does not answer takes up to a minute. */
    private static CompletableFuture<String> resolve(NodeAddress.Host host, UnaryOperator<String> resolver) {
        return DaemonCall.begin("holdfast-resolver", () -> resolver.apply(host.name()))
                .exceptionally(failure -> host.name());
    }

    private static String numeric(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
