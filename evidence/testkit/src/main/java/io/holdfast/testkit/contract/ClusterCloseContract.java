package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;

import io.holdfast.LockOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.RedisNodes;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A contract for a client of a cluster that is closed while it still connects. */
public abstract class ClusterCloseContract {

    /** The test gets the node before it is connected. */
    private static final NodeSettings WITHOUT_WAIT =
            new NodeSettings(new QuorumConfig(1, LockOptions.MAX_LEASE), false, Duration.ZERO);

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, LockOptions.MAX_LEASE), false, PatientOptions.CLIENT.connectTimeout());

    private final Queue<Observed> connectors = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<LockNode> node = new CompletableFuture<>();

    /** Returns a function that makes the connector of a server, with one client for all of them. */
    protected abstract Function<ServerAddress, RedisConnector> client(NodeSettings settings, Time time);

    @Test
    void close_whileTheSlotMapIsRead_closesEveryConnection() {
        try (ClusterServers cluster = ClusterServers.start();
                SystemTime time = new SystemTime()) {
            Function<ServerAddress, RedisConnector> client = client(SETTINGS, time);
            NodeAddress seed = NodeAddress.parse(
                    "redis-cluster://127.0.0.1:" + cluster.first().port());

            node.complete(RedisNodes.connect(List.of(seed), at -> observed(client, at), client, WITHOUT_WAIT, time)
                    .get(0));

            eventually(
                    "each connector is closed, also that of a server of the map",
                    () -> connectors.size() > 1 && connectors.stream().allMatch(Observed::isClosed));
            eventually("no server has a client", () -> clients(cluster) == 0);
        }
    }

    /**
     * Closes the node at the moment when it connects to the first server of the map; if the test does not have the node
     * yet, because the server has replied so fast, as soon as it has it.
     */
    private RedisConnector observed(Function<ServerAddress, RedisConnector> client, ServerAddress server) {
        if (!connectors.isEmpty()) {
            node.thenAccept(LockNode::close);
        }
        Observed connector = new Observed(client.apply(server), new CompletableFuture<>());
        connectors.add(connector);
        return connector;
    }

    /** Counts the clients without the connection that asks for them. */
    private static long clients(ClusterServers cluster) {
        long[] count = {0};
        cluster.forEach(server -> count[0] += Objects.toString(server.exec("CLIENT", "LIST", "TYPE", "normal"))
                        .lines()
                        .count()
                - 1);
        return count[0];
    }

    private record Observed(RedisConnector connector, CompletableFuture<Void> closed) implements RedisConnector {

        boolean isClosed() {
            return closed.isDone();
        }

        @Override
        public String name() {
            return connector.name();
        }

        @Override
        public CompletionStage<RedisConnection> connect() {
            return connector.connect();
        }

        @Override
        public ConnectFailure explain(Throwable failure) {
            return connector.explain(failure);
        }

        @Override
        public CompletionStage<?> close() {
            closed.complete(null);
            return connector.close();
        }
    }
}
