package io.holdfast.redis.cluster;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.ReconnectingConnection;
import io.holdfast.redis.keys.HashSlot;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster as one node. Each resource lies on one shard, which votes on it as an independent server would. If a
 * shard does not reply, or no longer keeps the resource, the claim fails, the map of slots is read again, and the
 * client may retry.
 *
 * <p>There is no quarantine: a shard that fails over may forget locks, and so does the node. Thread-safe.
 */
public final class ClusterNode implements LockNode {

    private final URI address;
    private final NodeSettings settings;
    private final Function<URI, ? extends RedisConnector> client;
    private final DistinctServers distinctServers;
    private final Time time;
    /**
     * The shards by address. Shards that serve no slots stay connected until the node is closed, since they may serve
     * some again.
     */
    private final Map<URI, Shard> shards = new ConcurrentHashMap<>();

    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile SlotMap map = SlotMap.NONE;
    /** The reason why the last request for the map failed, or an empty string. */
    private volatile String mapFailure = "";

    private volatile @Nullable Listener listener;
    private volatile boolean closed;

    private record Listener(String inbox, Consumer<WakeUp> consumer) {}

    private record Shard(ReconnectingConnection connection, ScriptNode node) {}

    /**
     * Creates a node that has not started to connect.
     *
     * @param client makes the connector of a server
     * @param distinctServers one object for all nodes of a client
     */
    public ClusterNode(
            URI address,
            NodeSettings settings,
            Function<URI, ? extends RedisConnector> client,
            DistinctServers distinctServers,
            Time time) {
        this.address = address;
        this.settings = settings;
        this.client = client;
        this.distinctServers = distinctServers;
        this.time = time;
    }

    @Override
    public String name() {
        return RedisAddress.name(address);
    }

    /**
     * Starts to connect. The future completes with {@code true} when the map of slots is known, or with {@code false}
     * when no server can be reached.
     */
    public CompletableFuture<Boolean> start() {
        List<Shard> seeds =
                RedisAddress.hosts(address).stream().map(this::shard).toList();
        List<CompletableFuture<Boolean>> connected =
                seeds.stream().map(seed -> seed.connection().firstAttempt()).toList();
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        connected.forEach(one -> one.thenAccept(success -> {
            if (success) {
                refreshMap().thenAccept(refreshed -> {
                    if (map.isUsable()) {
                        known.complete(true);
                    }
                });
            }
        }));
        CompletableFuture.allOf(connected.toArray(CompletableFuture<?>[]::new)).thenRun(() -> {
            if (connected.stream().noneMatch(CompletableFuture::join)) {
                known.complete(false);
            }
        });
        return known;
    }

    private Shard shard(URI server) {
        return shards.computeIfAbsent(server, at -> {
            ReconnectingConnection connection = new ReconnectingConnection(client.apply(at), time);
            connection.start();
            ScriptNode node = ScriptNode.shard(connection, settings, distinctServers, time);
            Listener current = listener;
            if (current != null) {
                node.listen(current.inbox(), current.consumer());
            }
            return new Shard(connection, node);
        });
    }

    @Override
    public NodeStatus status() {
        SlotMap known = map;
        if (!known.isUsable()) {
            return NodeStatus.unreachable(
                    name(), Duration.ZERO, "the servers of its slots are not known yet" + mapFailure);
        }
        return known.servers().stream()
                .map(server -> shard(server).node().status())
                .filter(shard -> !shard.votes())
                .findFirst()
                .map(shard -> new NodeStatus(
                        name(), shard.state(), shard.duration(), "its shard " + shard.name() + ": " + shard.cause()))
                .orElse(NodeStatus.voting(name()));
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        if (settings.guarded()) {
            return refuse("a cluster has no quarantine; declare the nodes durable, or give independent masters");
        } else if (!Keys.fitInOneSlot(claim.resource())) {
            return refuse("the name has braces but no hash tag, so its keys cannot lie in one slot; rename it");
        }
        int slot = HashSlot.of(claim.resource());
        URI server = map.server(slot);
        if (server == null) {
            refreshMap();
            return refuse("no server is known yet for slot " + slot + mapFailure);
        }
        return shard(server).node().ask(claim).thenApply(reply -> {
            if (reply instanceof Reply.Failed) {
                refreshMap();
            }
            return reply;
        });
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    /** Requests the map of slots from all connected shards. The first usable reply counts. Runs once at a time. */
    private CompletableFuture<Boolean> refreshMap() {
        if (closed || refreshing.getAndSet(true)) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
        // The next request must not wait for a reply that never comes, so every outcome ends this one.
        refreshed.whenComplete((done, failure) -> refreshing.set(false));
        List<CompletableFuture<Void>> replies = List.copyOf(shards.entrySet()).stream()
                .map(shard -> readMap(shard.getKey(), shard.getValue(), refreshed))
                .toList();
        CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> refreshed.complete(false));
        return refreshed;
    }

    private CompletableFuture<Void> readMap(URI server, Shard shard, CompletableFuture<Boolean> refreshed) {
        return shard.connection()
                .session()
                .send(List.of("CLUSTER", "SLOTS"))
                .thenAccept(reply -> {
                    SlotMap fresh = SlotMap.of(RedisReplies.list(reply), address, server);
                    if (!fresh.isUsable()) {
                        mapFailure = reason(reply);
                    } else if (!refreshed.isDone()) {
                        // Connects to all servers of the map before the map is used.
                        fresh.servers().forEach(this::shard);
                        map = fresh;
                        closeOthers(fresh.servers());
                        refreshed.complete(true);
                    }
                })
                .toCompletableFuture();
    }

    /** Bounds the connections to servers that a cluster has named in the past. */
    private void closeOthers(List<URI> used) {
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

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return CompletableFuture.completedFuture(
                new NodeStanding.Unknown("a cluster has no quarantine; there is nothing to admit"));
    }

    @Override
    public NodeAdmin admin() {
        return new ClusterAdmin(
                this::adminOf,
                () -> map.servers().stream()
                        .collect(Collectors.toMap(
                                RedisAddress::name,
                                server -> shard(server).node().admin())));
    }

    @Override
    public RecordStore records() {
        return new ClusterRecords(resource -> {
            URI server = map.server(HashSlot.of(resource));
            return server == null || !Keys.fitInOneSlot(resource)
                    ? RecordStore.NONE
                    : shard(server).node().records();
        });
    }

    private NodeAdmin adminOf(String resource) {
        URI server = map.server(HashSlot.of(resource));
        return server == null ? new NodeAdmin() {} : shard(server).node().admin();
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        listener = new Listener(inbox, consumer);
        shards.values().forEach(shard -> shard.node().listen(inbox, consumer));
    }

    /** Returns {@code true} if any shard can notify; a claim to another shard is sent without its ticket. */
    @Override
    public boolean canNotify() {
        return shards.values().stream().anyMatch(shard -> shard.node().canNotify());
    }

    @Override
    public void close() {
        closed = true;
        shards.values().forEach(shard -> shard.node().close());
    }
}
