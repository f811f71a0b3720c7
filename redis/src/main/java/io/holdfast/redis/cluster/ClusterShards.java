package io.holdfast.redis.cluster;

import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.AddressMap;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.ReconnectingConnection;
import io.holdfast.redis.keys.HashSlot;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The shards of a cluster: the map of its slots, and a connection to each server of the map. Thread-safe. */
final class ClusterShards {

    /** The longest time for which the map is outdated after a replica was promoted, while no request is sent. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final NodeAddress address;
    private final NodeSettings settings;
    private final Function<ServerAddress, ? extends RedisConnector> client;
    private final DistinctServers distinctServers;
    private final AddressMap addresses;
    private final Time time;
    /**
     * The shards by address. Shards that serve no slots stay connected until the node is closed, since they may serve
     * some again.
     */
    private final Map<ServerAddress, Shard> shards = new ConcurrentHashMap<>();

    /** The running request for the map, or null. */
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> refreshing = new AtomicReference<>();

    private volatile SlotMap map = SlotMap.NONE;
    /** The reason why the last request for the map failed, or an empty string. */
    private volatile String mapFailure = "";

    private volatile @Nullable Listener listener;
    private volatile boolean closed;

    private record Listener(String inbox, Consumer<WakeUp> consumer) {}

    private record Shard(ReconnectingConnection connection, ScriptNode node) {}

    /** Creates the shards of a cluster, without a connection. */
    ClusterShards(
            NodeAddress address,
            NodeSettings settings,
            Function<ServerAddress, ? extends RedisConnector> client,
            DistinctServers distinctServers,
            Time time) {
        this.address = address;
        this.settings = settings;
        this.addresses = new AddressMap(settings.addressMap());
        this.client = client;
        this.distinctServers = distinctServers;
        this.time = time;
    }

    /**
     * Starts to connect. The future completes with {@code true} when the map of slots is known and the first attempt to
     * connect to each server of the map has ended, or with {@code false} when no server can be reached.
     */
    CompletableFuture<Boolean> start() {
        List<Shard> seeds =
                RedisAddress.servers(address).stream().map(this::shard).toList();
        List<CompletableFuture<Boolean>> connected =
                seeds.stream().map(seed -> seed.connection().firstAttempt()).toList();
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        checkLater();
        connected.forEach(one -> one.thenAccept(success -> {
            if (success) {
                refreshMap().thenAccept(refreshed -> {
                    if (map.isUsable()) {
                        afterFirstAttempts(map.servers()).thenRun(() -> known.complete(true));
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

    private CompletableFuture<Void> afterFirstAttempts(List<ServerAddress> servers) {
        return CompletableFuture.allOf(servers.stream()
                .map(server -> shard(server).connection().firstAttempt())
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Reads the map again while a shard does not vote: a replica may serve its slots, even if no request is sent. */
    private void checkLater() {
        time.schedule(CHECK_INTERVAL, () -> {
            if (!closed) {
                checkLater();
                if (!allVote()) {
                    refreshMap();
                }
            }
        });
    }

    private boolean allVote() {
        List<ScriptNode> serving = serving();
        return !serving.isEmpty()
                && serving.stream().allMatch(shard -> shard.status().votes());
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
        Listener current = listener;
        if (current != null) {
            node.listen(current.inbox(), current.consumer());
        }
        return new Shard(connection, node);
    }

    /** Returns the shards that serve slots; none if the map is not known. */
    List<ScriptNode> serving() {
        return map.servers().stream().map(server -> shard(server).node()).toList();
    }

    /** Returns the reason why no shard is known to serve slots. */
    String unknown() {
        return "the servers of its slots are not known yet" + mapFailure;
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
        ServerAddress server = map.server(slot);
        if (server == null) {
            refreshMap();
            return refusal.apply("no server is known yet for slot " + slot + mapFailure);
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
     * Requests the map of slots from all connected shards, unless such a request is running. The future completes with
     * {@code true} at the first usable reply, or with {@code false} if there is none.
     */
    CompletableFuture<Boolean> refreshMap() {
        if (closed) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
        CompletableFuture<Boolean> running = refreshing.compareAndExchange(null, refreshed);
        if (running != null) {
            return running;
        }
        // The next request must not wait for a reply that never comes, so every outcome ends this one.
        refreshed.whenComplete((done, failure) -> refreshing.set(null));
        List<CompletableFuture<Void>> replies = List.copyOf(shards.entrySet()).stream()
                .map(shard -> readMap(shard.getKey(), shard.getValue(), refreshed))
                .toList();
        CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> refreshed.complete(false));
        return refreshed;
    }

    private CompletableFuture<Void> readMap(ServerAddress server, Shard shard, CompletableFuture<Boolean> refreshed) {
        return shard.connection()
                .session()
                .send(List.of("CLUSTER", "SLOTS"))
                .thenAccept(reply -> {
                    SlotMap fresh = SlotMap.of(RedisReplies.list(reply), server, addresses);
                    if (!fresh.isUsable()) {
                        mapFailure = reason(reply);
                    } else if (!closed && !refreshed.isDone()) {
                        use(fresh);
                        refreshed.complete(true);
                    }
                })
                .toCompletableFuture();
    }

    /** Connects to all servers of the map before the map is used. */
    private void use(SlotMap fresh) {
        List<ServerAddress> servers = fresh.servers();
        servers.forEach(this::shard);
        map = fresh;
        closeOthers(servers);
    }

    /** Bounds the connections to servers that a cluster has named in the past. */
    private void closeOthers(List<ServerAddress> used) {
        if (shards.size() > 2 * SlotMap.MOST_SERVERS) {
            shards.keySet().stream()
                    .filter(server -> !used.contains(server))
                    .toList()
                    .forEach(server -> {
                        Shard unused = shards.remove(server);
                        if (unused != null) {
                            unused.node().close();
                        }
                    });
        }
    }

    private static String reason(RedisReply reply) {
        if (reply instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")) {
            return ": the user may not run CLUSTER SLOTS; grant " + RequiredAcl.FOR_CLUSTERS;
        }
        return reply instanceof RedisReply.Value
                ? ""
                : ": " + ReplyParser.failure(reply).cause();
    }

    void listen(String inbox, Consumer<WakeUp> consumer) {
        listener = new Listener(inbox, consumer);
        shards.values().forEach(shard -> shard.node().listen(inbox, consumer));
    }

    /** Returns {@code true} if any shard can notify. */
    boolean canNotify() {
        return shards.values().stream().anyMatch(shard -> shard.node().canNotify());
    }

    void close() {
        closed = true;
        shards.values().forEach(shard -> shard.node().close());
    }

    CompletionStage<?> freed() {
        return CompletableFuture.allOf(shards.values().stream()
                .map(shard -> shard.node().freed().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
