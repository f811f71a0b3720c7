package io.holdfast.redis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.LockProtocol;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.cluster.ClusterNode;
import io.holdfast.redis.connection.AddressMap;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.InitialConnects;
import io.holdfast.redis.connection.ReconnectingConnection;
import io.holdfast.redis.connection.SentinelConnector;
import io.holdfast.redis.script.Script;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.redis.transaction.LockValueFormat;
import io.holdfast.redis.transaction.TransactionNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Creates the nodes of one client. Each node keeps a connection to its server, made by the client adapter. */
public final class RedisNodes {

    private RedisNodes() {}

    /**
     * Starts to connect to all addresses and returns their nodes in the same order. Waits for the first connections as
     * {@link io.holdfast.node.NodeProvider#connect} specifies; missing ones are made in the background.
     *
     * @param addresses the addresses of the nodes, which may contain a {@link LockProtocol}
     * @param client makes the connector of an address
     * @param sentinels makes the connector of a Sentinel, which does not know the users of the nodes
     * @param settings the settings that all nodes share
     * @param time the clock and the timers of the client
     * @throws IllegalArgumentException if the client rejects an address, or an address names an unknown
     *     {@link LockProtocol} or another parameter
     */
    public static List<LockNode> connect(
            List<NodeAddress> addresses,
            Function<ServerAddress, ? extends RedisConnector> client,
            Function<ServerAddress, ? extends RedisConnector> sentinels,
            NodeSettings settings,
            Time time) {
        List<StartedNode> started = new ArrayList<>();
        DistinctServers distinctServers = new DistinctServers();
        try {
            for (NodeAddress address : addresses) {
                started.add(start(address, client, sentinels, settings, distinctServers, time));
            }
            InitialConnects connects = new InitialConnects(started.size(), time);
            started.forEach(one -> one.firstConnect().thenAccept(connects::count));
            // These scripts are read while the connections are made, not when a command with a timeout is written.
            Script.ACQUIRE.prepare();
            Script.RELEASE.prepare();
            await(connects, settings.connectTimeout(), time);
        } catch (Throwable e) {
            started.forEach(one -> one.node().close());
            throw e;
        }
        return started.stream().map(StartedNode::node).toList();
    }

    /**
     * Rejects the addresses that {@link #connect} rejects, without a connection.
     *
     * @param client makes the connector of an address
     * @throws IllegalArgumentException as {@link #connect} does
     */
    public static void check(List<NodeAddress> addresses, Function<ServerAddress, ? extends RedisConnector> client) {
        for (NodeAddress address : addresses) {
            LockProtocol protocol = LockProtocol.of(address);
            if (RedisAddress.isCluster(address)) {
                requireScripts(protocol, address);
            }
            RedisAddress.servers(address).forEach(server -> client.apply(server).close());
        }
    }

    /**
     * A node that has started to connect.
     *
     * @param firstConnect completes with {@code true} if the first attempt to connect succeeds
     */
    private record StartedNode(LockNode node, CompletableFuture<Boolean> firstConnect) {}

    private static StartedNode start(
            NodeAddress address,
            Function<ServerAddress, ? extends RedisConnector> client,
            Function<ServerAddress, ? extends RedisConnector> sentinels,
            NodeSettings settings,
            DistinctServers distinctServers,
            Time time) {
        LockProtocol protocol = LockProtocol.of(address);
        if (RedisAddress.isCluster(address)) {
            requireScripts(protocol, address);
            ClusterNode node = new ClusterNode(address, settings, client, distinctServers, time);
            return new StartedNode(node, node.start());
        }
        RedisConnector connector = RedisAddress.isSentinel(address)
                ? new SentinelConnector(address, client, sentinels, new AddressMap(settings.addressMap()), time)
                : client.apply(RedisAddress.servers(address).get(0));
        ReconnectingConnection connection = new ReconnectingConnection(connector, time);
        return new StartedNode(node(protocol, connection, settings, distinctServers, time), connection.start());
    }

    private static void requireScripts(LockProtocol protocol, NodeAddress cluster) {
        if (protocol != LockProtocol.SCRIPTS) {
            throw new IllegalArgumentException("'" + cluster + "' is a cluster, which supports only"
                    + " scripts; remove ?locks=..., or give independent masters");
        }
    }

    private static LockNode node(
            LockProtocol protocol,
            NodeConnection connection,
            NodeSettings settings,
            DistinctServers distinctServers,
            Time time) {
        return switch (protocol) {
            case SCRIPTS -> new ScriptNode(connection, settings, distinctServers, time);
            case TRANSACTIONS ->
                new TransactionNode(connection, settings, distinctServers, LockValueFormat.OWNER, time);
            case TIMESTAMPS -> new TransactionNode(connection, settings, distinctServers, LockValueFormat.MILLIS, time);
            case TIMESTAMPS_IN_SECONDS ->
                new TransactionNode(connection, settings, distinctServers, LockValueFormat.SECONDS, time);
        };
    }

    private static void await(InitialConnects connects, Duration connectTimeout, Time time) {
        try {
            // Missing connections are made in the background.
            time.await(connects.enough(), connectTimeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
