package io.holdfast.redis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeTerms;
import io.holdfast.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The nodes of one client: for each connector a node, with a connection that is kept. */
public final class RedisNodes {

    private RedisNodes() {}

    /**
     * Begins to connect to all of them by their connectors, waits as {@link io.holdfast.node.NodeProvider#connect} says, and returns the nodes in their order.
     *
     * @param client what connects to an address; whatever an address says of {@link Protocol} is taken off before
     * @throws IllegalArgumentException as the client does, or if an address asks for no known {@link Protocol}
     */
    public static List<LockNode> connect(
            List<URI> addresses, Function<URI, ? extends RedisConnector> client, NodeTerms terms, Time time) {
        List<Beginning> begun = new ArrayList<>();
        Neighbours neighbours = new Neighbours();
        try {
            for (URI address : addresses) {
                begun.add(begin(address, client, terms, neighbours, time));
            }
        } catch (RuntimeException e) {
            begun.forEach(beginning -> beginning.node().close());
            throw e;
        }
        Arrivals arrivals = new Arrivals(begun.size(), time);
        begun.forEach(beginning -> beginning.arrival().thenAccept(arrivals::count));
        // Meanwhile there is nothing else to do.
        Script.ACQUIRE.prepare();
        await(arrivals, terms.connectTimeout());
        return begun.stream().map(Beginning::node).toList();
    }

    /** A node, and whether its first attempt to connect succeeds. */
    private record Beginning(LockNode node, CompletableFuture<Boolean> arrival) {}

    private static Beginning begin(
            URI address,
            Function<URI, ? extends RedisConnector> client,
            NodeTerms terms,
            Neighbours neighbours,
            Time time) {
        Protocol protocol = Protocol.of(address);
        URI plain = Protocol.strip(address);
        if (Address.isCluster(plain)) {
            return cluster(protocol, new ClusterNode(plain, terms, client, neighbours, time));
        }
        RedisConnector connector =
                Address.isSentinel(plain) ? new SentinelConnector(plain, client) : client.apply(plain);
        Supervisor supervisor = new Supervisor(connector, time);
        return new Beginning(node(protocol, supervisor, terms, neighbours, time), supervisor.start());
    }

    private static Beginning cluster(Protocol protocol, ClusterNode node) {
        if (protocol != Protocol.SCRIPTS) {
            throw new IllegalArgumentException("'" + node.name() + "' is a cluster, which is locked by scripts alone;"
                    + " take ?locks=… off, or give independent masters");
        }
        return new Beginning(node, node.start());
    }

    private static LockNode node(Protocol protocol, RedisPort port, NodeTerms terms, Neighbours neighbours, Time time) {
        return switch (protocol) {
            case SCRIPTS -> new RedisLockNode(port, terms, neighbours, time);
            case TRANSACTIONS -> new TransactionNode(port, terms, neighbours, KeyForm.OWNER, time);
            case TIMESTAMPS -> new TransactionNode(port, terms, neighbours, KeyForm.MILLIS, time);
            case TIMESTAMPS_IN_SECONDS -> new TransactionNode(port, terms, neighbours, KeyForm.SECONDS, time);
        };
    }

    private static void await(Arrivals arrivals, Duration connectTimeout) {
        try {
            arrivals.enough().get(connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // What is missing is tried on in the background.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Arrivals never fail", e);
        }
    }
}
