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
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.keys.HashSlot;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

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
    private final ClusterShards shards;

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
        this.shards = new ClusterShards(address, settings, client, distinctServers, time);
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
        return shards.start();
    }

    @Override
    public NodeStatus status() {
        List<ScriptNode> serving = shards.serving();
        if (serving.isEmpty()) {
            return NodeStatus.unreachable(
                    name(), Duration.ZERO, "the servers of its slots are not known yet" + shards.mapFailure());
        }
        return serving.stream()
                .map(ScriptNode::status)
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
        ScriptNode shard = shards.of(claim.resource());
        if (shard == null) {
            shards.refreshMap();
            return refuse("no server is known yet for slot " + HashSlot.of(claim.resource()) + shards.mapFailure());
        }
        return shard.ask(claim).thenApply(reply -> {
            if (reply instanceof Reply.Failed) {
                shards.refreshMap();
            }
            return reply;
        });
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
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
                () -> shards.serving().stream().collect(Collectors.toMap(ScriptNode::name, ScriptNode::admin)));
    }

    @Override
    public RecordStore records() {
        return new ClusterRecords(resource -> {
            ScriptNode shard = shards.of(resource);
            return shard == null || !Keys.fitInOneSlot(resource) ? RecordStore.NONE : shard.records();
        });
    }

    private NodeAdmin adminOf(String resource) {
        ScriptNode shard = shards.of(resource);
        return shard == null ? new NodeAdmin() {} : shard.admin();
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        shards.listen(inbox, consumer);
    }

    /** Returns {@code true} if any shard can notify; a claim to another shard is sent without its ticket. */
    @Override
    public boolean canNotify() {
        return shards.canNotify();
    }

    @Override
    public void close() {
        shards.close();
    }
}
