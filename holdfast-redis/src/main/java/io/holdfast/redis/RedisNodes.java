package io.holdfast.redis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.LockProtocol;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.cluster.ClusterNode;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.InitialConnects;
import io.holdfast.redis.connection.ReconnectingConnection;
import io.holdfast.redis.connection.SentinelConnector;
import io.holdfast.redis.script.Script;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.redis.transaction.LockValueFormat;
import io.holdfast.redis.transaction.TransactionNode;
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
     * @param client what connects to an address; whatever an address says of {@link LockProtocol} is taken off before
     * @throws IllegalArgumentException as the client does, or if an address asks for no known {@link LockProtocol}
     */
    public static List<LockNode> connect(
            List<URI> addresses, Function<URI, ? extends RedisConnector> client, NodeSettings settings, Time time) {
        return connect(addresses, client, client, settings, time);
    }

    /**
     * Connects as {@link #connect(List, Function, NodeSettings, Time)} does, to Sentinels by connectors of their own.
     *
     * @param sentinels connects to a Sentinel, which does not know the users of the nodes
     */
    public static List<LockNode> connect(
            List<URI> addresses,
            Function<URI, ? extends RedisConnector> client,
            Function<URI, ? extends RedisConnector> sentinels,
            NodeSettings settings,
            Time time) {
        List<Beginning> begun = new ArrayList<>();
        DistinctServers distinctServers = new DistinctServers();
        try {
            for (URI address : addresses) {
                begun.add(begin(address, client, sentinels, settings, distinctServers, time));
            }
        } catch (RuntimeException e) {
            begun.forEach(beginning -> beginning.node().close());
            throw e;
        }
        InitialConnects arrivals = new InitialConnects(begun.size(), time);
        begun.forEach(beginning -> beginning.arrival().thenAccept(arrivals::count));
        // Meanwhile there is nothing else to do.
        Script.ACQUIRE.prepare();
        await(arrivals, settings.connectTimeout());
        return begun.stream().map(Beginning::node).toList();
    }

    /** A node, and whether its first attempt to connect succeeds. */
    private record Beginning(LockNode node, CompletableFuture<Boolean> arrival) {}

    private static Beginning begin(
            URI address,
            Function<URI, ? extends RedisConnector> client,
            Function<URI, ? extends RedisConnector> sentinels,
            NodeSettings settings,
            DistinctServers distinctServers,
            Time time) {
        LockProtocol protocol = LockProtocol.of(address);
        URI plain = LockProtocol.strip(address);
        if (RedisAddress.isCluster(plain)) {
            return cluster(protocol, new ClusterNode(plain, settings, client, distinctServers, time));
        }
        RedisConnector connector =
                RedisAddress.isSentinel(plain) ? new SentinelConnector(plain, client, sentinels) : client.apply(plain);
        ReconnectingConnection supervisor = new ReconnectingConnection(connector, time);
        return new Beginning(node(protocol, supervisor, settings, distinctServers, time), supervisor.start());
    }

    private static Beginning cluster(LockProtocol protocol, ClusterNode node) {
        if (protocol != LockProtocol.SCRIPTS) {
            throw new IllegalArgumentException("'" + node.name() + "' is a cluster, which is locked by scripts alone;"
                    + " take ?locks=… off, or give independent masters");
        }
        return new Beginning(node, node.start());
    }

    private static LockNode node(
            LockProtocol protocol,
            NodeConnection port,
            NodeSettings settings,
            DistinctServers distinctServers,
            Time time) {
        return switch (protocol) {
            case SCRIPTS -> new ScriptNode(port, settings, distinctServers, time);
            case TRANSACTIONS -> new TransactionNode(port, settings, distinctServers, LockValueFormat.OWNER, time);
            case TIMESTAMPS -> new TransactionNode(port, settings, distinctServers, LockValueFormat.MILLIS, time);
            case TIMESTAMPS_IN_SECONDS ->
                new TransactionNode(port, settings, distinctServers, LockValueFormat.SECONDS, time);
        };
    }

    private static void await(InitialConnects arrivals, Duration connectTimeout) {
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
