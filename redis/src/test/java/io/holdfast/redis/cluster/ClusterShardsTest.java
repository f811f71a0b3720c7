package io.holdfast.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.SameReply;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.time.VirtualTime;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The start of a cluster, whose servers connect in an order that the test chooses. Contracts cover real clusters. */
class ClusterShardsTest {

    private static final NodeAddress ADDRESS = NodeAddress.parse("redis-cluster://host:1");
    private static final List<?> SLOTS =
            List.of(List.of(0L, 8000L, List.of("host", 1L)), List.of(8001L, 16383L, List.of("host", 2L)));

    private final Map<Integer, CompletableFuture<RedisConnection>> servers = new ConcurrentHashMap<>();
    private final VirtualTime time = new VirtualTime();
    private final ClusterShards shards = new ClusterShards(
            ADDRESS,
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2)),
            uri -> new Server(uri.toString(), server(uri.port())),
            new DistinctServers(),
            time);

    private record Server(String name, CompletionStage<RedisConnection> connect) implements RedisConnector {

        @Override
        public ConnectFailure explain(Throwable failure) {
            return ConnectFailure.passing(failure.toString());
        }
    }

    private CompletableFuture<RedisConnection> server(int port) {
        return servers.computeIfAbsent(port, unknown -> new CompletableFuture<>());
    }

    private void connect(int port) {
        server(port).complete(new SameReply(SLOTS));
    }

    /** Otherwise the first attempt on a lock of another shard fails at once, since that shard is not connected yet. */
    @Test
    void start_oneShardStillConnects_isAwaited() {
        CompletableFuture<Boolean> started = shards.start();
        connect(1);
        assertThat(started).isNotDone();

        connect(2);

        assertThat(started).isCompletedWithValue(true);
    }

    @Test
    void start_oneShardIsUnreachable_ends() {
        CompletableFuture<Boolean> started = shards.start();
        connect(1);

        server(2).completeExceptionally(new ConnectException("refused"));

        assertThat(started).isCompletedWithValue(true);
    }

    @Test
    void start_noServerIsReachable_endsWithFalse() {
        CompletableFuture<Boolean> started = shards.start();

        server(1).completeExceptionally(new ConnectException("refused"));

        assertThat(started).isCompletedWithValue(false);
    }
}
