package io.holdfast.redis.cluster;

import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.AddressMap;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.ReconnectingConnection;
import io.holdfast.redis.connection.ServerSession;
import io.holdfast.redis.keys.HashSlot;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The shards of a cluster: the map of its slots, and a connection to each server of the map. Thread-safe. */
final class ClusterShards {

    /**
     * The longest time for which the map is outdated without a failure that shows it. A server that has left the
     * cluster may serve another one at the same address, and would grant locks there.
     */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final NodeSettings settings;
    private final Function<ServerAddress, ? extends RedisConnector> client;
    private final DistinctServers distinctServers;
    private final List<ServerAddress> seeds;
    private final Time time;
    /** The shards by address. Some that serve no slots stay connected, since they may serve some again. */
    private final Map<ServerAddress, Shard> shards = new ConcurrentHashMap<>();

    private final CurrentMap map;
    private volatile ServerSession.@Nullable Listener listener;
    private volatile boolean closed;

    private record Shard(ReconnectingConnection connection, ScriptNode node) {}

    /** Creates the shards of a cluster, without a connection. */
    ClusterShards(
            NodeAddress address,
            NodeSettings settings,
            Function<ServerAddress, ? extends RedisConnector> client,
            DistinctServers distinctServers,
            Time time) {
        this.settings = settings;
        this.seeds = RedisAddress.servers(address);
        this.client = client;
        this.distinctServers = distinctServers.ofCluster(address.toString());
        this.time = time;
        this.map = new CurrentMap(
                seeds,
                new AddressMap(settings.addressMap()),
                server -> shard(server).connection().session(),
                this::prepare);
    }

    /**
     * Starts to connect. The future completes with {@code true} when the map of slots is known and the first attempt to
     * connect to each server of the map has ended, or with {@code false} when no server can be reached.
     */
    CompletableFuture<Boolean> start() {
        List<CompletableFuture<Boolean>> connected = seeds.stream()
                .map(seed -> shard(seed).connection().firstAttempt())
                .toList();
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        time.repeat(CHECK_INTERVAL, this::refreshPartly);
        connected.forEach(one -> one.thenAccept(success -> {
            if (success) {
                refreshMap().thenAccept(refreshed -> {
                    if (map.get().isUsable()) {
                        afterFirstAttempts(servers()).thenRun(() -> known.complete(true));
                    }
                });
            }
        }));
        CompletableFuture.allOf(connected.toArray(CompletableFuture<?>[]::new)).thenRun(() -> {
            if (connected.stream().noneMatch(ThreadWait::resultOf)) {
                known.complete(false);
            }
        });
        return known;
    }

    private List<ServerAddress> servers() {
        return map.get().servers();
    }

    private CompletableFuture<Void> afterFirstAttempts(List<ServerAddress> servers) {
        return CompletableFuture.allOf(servers.stream()
                .map(server -> shard(server).connection().firstAttempt())
                .toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Reads the map again: from any two shards, one of which may hang, or from all while one does not vote, whose slots
     * a replica may serve.
     */
    private boolean refreshPartly() {
        if (!closed) {
            List<ServerAddress> servers = servers();
            map.refresh(allVote() ? anyTwo(servers) : servers);
        }
        return !closed;
    }

    private boolean allVote() {
        List<ScriptNode> serving = serving();
        return !serving.isEmpty()
                && serving.stream().allMatch(shard -> shard.status().votes());
    }

    private static List<ServerAddress> anyTwo(List<ServerAddress> servers) {
        List<ServerAddress> shuffled = new ArrayList<>(servers);
        Collections.shuffle(shuffled, ThreadLocalRandom.current());
        return shuffled.stream().limit(2).toList();
    }

    private Shard shard(ServerAddress server) {
        Shard shard = shards.computeIfAbsent(server, this::connect);
        if (closed) {
            // A close that runs at the same time may not have seen this shard.
            shard.node().close();
        }
        return shard;
    }

    private Shard connect(ServerAddress server) {
        ReconnectingConnection connection = new ReconnectingConnection(client.apply(server), time);
        connection.start();
        ScriptNode node = ScriptNode.shard(connection, settings, distinctServers, time);
        ServerSession.Listener current = listener;
        if (current != null) {
            node.listen(current.inbox(), current.consumer());
        }
        return new Shard(connection, node);
    }

    /** Returns the shards that serve slots; none if the map is not known. */
    List<ScriptNode> serving() {
        return servers().stream().map(server -> shard(server).node()).toList();
    }

    /** Returns the reason why no shard is known to serve slots. */
    String unknown() {
        return "the servers of its slots are not known yet" + map.failure();
    }

    /**
     * Sends a request to the shard of the resource, the one that serves its slot.
     *
     * @param refusal converts the reason why no shard can receive a request about the resource
     */
    <T> CompletionStage<T> ask(
            String resource,
            Function<ScriptNode, CompletionStage<T>> request,
            Function<String, CompletionStage<T>> refusal) {
        if (!Keys.fitInOneSlot(resource)) {
            return refusal.apply("the name has braces but no hash tag, so its keys cannot lie in one slot; rename it");
        }
        int slot = HashSlot.of(resource);
        ServerAddress server = map.get().server(slot);
        if (server == null) {
            refreshMap();
            return refusal.apply("no server is known yet for slot " + slot + map.failure());
        }
        return request.apply(shard(server).node());
    }

    /** Sends a request that is no claim to the shard of the resource. The stage fails if no shard can receive it. */
    <T> CompletionStage<T> ask(String resource, Function<ScriptNode, CompletionStage<T>> request) {
        return ask(resource, shard -> refreshAfterFailure(request.apply(shard)), ClusterShards::failed);
    }

    /** Reads the map again if the request fails, since another shard may serve the slot now. */
    private <T> CompletionStage<T> refreshAfterFailure(CompletionStage<T> request) {
        return request.whenComplete((done, failure) -> {
            if (failure != null) {
                refreshMap();
            }
        });
    }

    /** Returns a stage that fails for this reason. */
    static <T> CompletionStage<T> failed(String reason) {
        return CompletableFuture.failedFuture(new IllegalStateException(reason));
    }

    /**
     * Requests the map of slots from the servers of the map, unless such a request is running. The future completes
     * with {@code true} at the first usable reply, or with {@code false} if there is none.
     */
    CompletableFuture<Boolean> refreshMap() {
        return map.refresh(servers());
    }

    /** Connects to the servers of a map, and bounds the connections to servers that a map has named in the past. */
    private void prepare(List<ServerAddress> servers) {
        servers.forEach(this::shard);
        Set<ServerAddress> kept = new HashSet<>(servers);
        kept.addAll(seeds);
        kept.addAll(servers());
        if (shards.size() > 2 * kept.size()) {
            shards.keySet().stream().filter(server -> !kept.contains(server)).forEach(server -> {
                Shard unused = shards.remove(server);
                if (unused != null) {
                    unused.node().close();
                }
            });
        }
    }

    void listen(String inbox, Consumer<WakeUp> consumer) {
        listener = new ServerSession.Listener(inbox, consumer);
        shards.values().forEach(shard -> shard.node().listen(inbox, consumer));
    }

    /** Returns {@code true} if any shard can notify. */
    boolean canNotify() {
        return shards.values().stream().anyMatch(shard -> shard.node().canNotify());
    }

    void close() {
        closed = true;
        map.close();
        shards.values().forEach(shard -> shard.node().close());
    }

    CompletionStage<?> freed() {
        return CompletableFuture.allOf(shards.values().stream()
                .map(shard -> shard.node().freed().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
