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
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.VirtualTime;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The start and the map of a cluster whose servers a test plays. Contracts cover real clusters. */
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
        connect(port, SLOTS);
    }

    private List<Object> connect(int port, List<?> map) {
        List<Object> reply = new CopyOnWriteArrayList<>(map);
        server(port).complete(new SameReply(reply));
        return reply;
    }

    private static List<?> allSlotsOf(long port) {
        return List.of(List.of(0L, 16383L, List.of("host", port)));
    }

    private List<String> serving() {
        return shards.serving().stream().map(ScriptNode::name).toList();
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
    void refresh_clientSendsNothing_noticesThatSlotsHaveMoved() {
        List<Object> first = connect(1, SLOTS);
        List<Object> second = connect(2, SLOTS);
        shards.start();
        assertThat(serving()).containsExactly("redis://host:1", "redis://host:2");
        first.clear();
        second.clear();
        first.addAll(allSlotsOf(1));
        second.addAll(allSlotsOf(1));

        time.advance(Duration.ofSeconds(5));

        assertThat(serving()).containsExactly("redis://host:1");
    }

    @Test
    void refresh_aServerHangs_noticesThatSlotsHaveMoved() {
        List<Object> first = connect(1, SLOTS);
        server(2).complete(SameReply.none());
        shards.start();
        first.clear();
        first.addAll(allSlotsOf(1));

        time.advance(Duration.ofSeconds(5));

        assertThat(serving()).containsExactly("redis://host:1");
    }

    /** Otherwise locks are stored in two clusters, and have two holders. */
    @Test
    void refresh_formerServerServesAnotherCluster_isNotAsked() {
        List<Object> first = connect(1, SLOTS);
        List<Object> second = connect(2, SLOTS);
        shards.start();
        first.clear();
        second.clear();
        first.addAll(allSlotsOf(1));
        shards.refreshMap();
        assertThat(serving()).containsExactly("redis://host:1");
        second.addAll(allSlotsOf(2));

        shards.refreshMap();

        assertThat(serving()).containsExactly("redis://host:1");
    }

    /** The first server does not see the others, which have replaced it, and is the first one to answer. */
    @Test
    void refresh_masterDoesNotKnowThatItWasReplaced_isNotBelieved() {
        connect(1);
        List<Object> second = connect(2, SLOTS);
        connect(3, allSlotsOf(3));
        shards.start();
        second.clear();
        second.addAll(allSlotsOf(3));

        shards.refreshMap();

        assertThat(serving()).containsExactly("redis://host:3");
    }

    @Test
    void refresh_serversOfTheMapDoNotAnswer_asksTheServerThatTheUserHasNamed() {
        List<Object> first = connect(1, allSlotsOf(2));
        List<Object> second = connect(2, allSlotsOf(2));
        connect(3, allSlotsOf(3));
        shards.start();
        assertThat(serving()).containsExactly("redis://host:2");
        first.clear();
        first.addAll(allSlotsOf(3));
        second.clear();

        shards.refreshMap();

        assertThat(serving()).containsExactly("redis://host:3");
    }

    @Test
    void start_noServerIsReachable_endsWithFalse() {
        CompletableFuture<Boolean> started = shards.start();

        server(1).completeExceptionally(new ConnectException("refused"));

        assertThat(started).isCompletedWithValue(false);
    }
}
