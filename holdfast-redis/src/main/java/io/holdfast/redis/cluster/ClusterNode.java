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
 * A Redis Cluster as one node: each resource is on one of its shards, which votes on it as a server of its own would. Where a shard
 * does not answer, or says that the resource is elsewhere, the cluster is asked anew who keeps what; the claim fails, and whoever
 * made it tries again.
 *
 * <p>There is no quarantine: a shard that fails over may forget, and so does the node. Thread-safe.
 */
public final class ClusterNode implements LockNode {

    private final URI address;
    private final NodeSettings settings;
    private final Function<URI, ? extends RedisConnector> client;
    private final DistinctServers distinctServers;
    private final Time time;
    /** By address; those that are not needed any more stay until the end, since they may be needed again. */
    private final Map<URI, Shard> shards = new ConcurrentHashMap<>();

    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile SlotMap map = SlotMap.NONE;
    /** Why the last question for the map had no use, or nothing. */
    private volatile String unknown = "";

    private volatile @Nullable Listening listening;
    private volatile boolean closed;

    private record Listening(String inbox, Consumer<WakeUp> consumer) {}

    private record Shard(ReconnectingConnection supervisor, ScriptNode node) {}

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

    /** Begins; completes with true when the cluster is known, with false when no server can be reached. */
    public CompletableFuture<Boolean> start() {
        List<Shard> seeds =
                RedisAddress.hosts(address).stream().map(this::shard).toList();
        List<CompletableFuture<Boolean>> connected =
                seeds.stream().map(seed -> seed.supervisor().started()).toList();
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        connected.forEach(one -> one.thenAccept(success -> {
            if (success) {
                learn().thenAccept(learnt -> {
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
            ReconnectingConnection supervisor = new ReconnectingConnection(client.apply(at), time);
            supervisor.start();
            ScriptNode node = ScriptNode.shard(supervisor, settings, distinctServers, time);
            Listening present = listening;
            if (present != null) {
                node.listen(present.inbox(), present.consumer());
            }
            return new Shard(supervisor, node);
        });
    }

    @Override
    public NodeStatus status() {
        SlotMap known = map;
        if (!known.isUsable()) {
            return NodeStatus.unreachable(
                    name(), Duration.ZERO, "it is not known yet which server keeps what" + unknown);
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
            return refuse("a cluster keeps no quarantine; declare the nodes durable, or give independent masters");
        } else if (!Keys.areTogether(claim.resource())) {
            return refuse(
                    "the name has braces but no hash tag, so a cluster cannot keep its fence beside it; rename it");
        }
        int slot = HashSlot.of(claim.resource());
        URI server = map.server(slot);
        if (server == null) {
            learn();
            return refuse("nobody is known yet to keep slot " + slot + unknown);
        }
        return shard(server).node().ask(claim).thenApply(reply -> {
            if (reply instanceof Reply.Failed) {
                learn();
            }
            return reply;
        });
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    /** Asks those who are connected, at once, who keeps what; the first answer counts. One question at a time. */
    private CompletableFuture<Boolean> learn() {
        if (closed || asking.getAndSet(true)) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> learnt = new CompletableFuture<>();
        // However an answer ends, the next question must not wait for it.
        learnt.whenComplete((done, failure) -> asking.set(false));
        List<CompletableFuture<Void>> answers = List.copyOf(shards.entrySet()).stream()
                .map(shard -> learnFrom(shard.getKey(), shard.getValue(), learnt))
                .toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> learnt.complete(false));
        return learnt;
    }

    private CompletableFuture<Void> learnFrom(URI server, Shard shard, CompletableFuture<Boolean> learnt) {
        return shard.supervisor()
                .session()
                .send(List.of("CLUSTER", "SLOTS"))
                .thenAccept(answer -> {
                    SlotMap fresh = SlotMap.of(RedisReplies.list(answer), address, server);
                    if (!fresh.isUsable()) {
                        unknown = reason(answer);
                    } else if (!learnt.isDone()) {
                        // A map counts only once all its servers have a connection, or are about to have one.
                        fresh.servers().forEach(this::shard);
                        map = fresh;
                        learnt.complete(true);
                    }
                })
                .toCompletableFuture();
    }

    private static String reason(RedisReply answer) {
        if (answer instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")) {
            return ": the user may not say CLUSTER SLOTS; grant " + RequiredAcl.FOR_CLUSTERS;
        }
        return answer instanceof RedisReply.Value
                ? ""
                : ": " + ReplyParser.failure(answer).cause();
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return CompletableFuture.completedFuture(
                new NodeStanding.Unknown("a cluster keeps no quarantine; there is nothing to admit"));
    }

    @Override
    public NodeAdmin admin() {
        return new ClusterAdmin(
                this::operationsOn,
                () -> map.servers().stream()
                        .collect(Collectors.toMap(
                                RedisAddress::name,
                                server -> shard(server).node().admin())));
    }

    private NodeAdmin operationsOn(String resource) {
        URI server = map.server(HashSlot.of(resource));
        return server == null ? new NodeAdmin() {} : shard(server).node().admin();
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        listening = new Listening(inbox, consumer);
        shards.values().forEach(shard -> shard.node().listen(inbox, consumer));
    }

    /** Whether a shard does that has been asked for a lock; of one that does not, a claim takes its ticket back. */
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
