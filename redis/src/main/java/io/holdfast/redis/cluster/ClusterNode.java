package io.holdfast.redis.cluster;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A Redis Cluster as one node. Each resource lies on one shard, which votes on it as an independent server would. If a
 * shard does not reply, or no longer keeps the resource, the request fails, the map of slots is read again, and the
 * client may retry.
 *
 * <p>There is no quarantine: a shard that fails over may forget locks, and so does the node. Thread-safe.
 */
public final class ClusterNode implements LockNode {

    private final NodeAddress address;
    private final NodeSettings settings;
    private final ClusterShards shards;

    /**
     * Creates a node that has not started to connect.
     *
     * @param client makes the connector of a server
     * @param distinctServers one object for all nodes of a client
     */
    public ClusterNode(
            NodeAddress address,
            NodeSettings settings,
            Function<ServerAddress, ? extends RedisConnector> client,
            DistinctServers distinctServers,
            Time time) {
        this.address = address;
        this.settings = settings;
        this.shards = new ClusterShards(address, settings, client, distinctServers, time);
    }

    @Override
    public String name() {
        return address.toString();
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
            return NodeStatus.unreachable(name(), Duration.ZERO, shards.unknown());
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
        return settings.guarded()
                ? refuse("a cluster has no quarantine; declare the nodes durable, or give independent masters")
                : shards.ask(claim.resource(), shard -> shard.ask(claim), ClusterNode::refuse)
                        .thenApply(this::refreshAfterFailure);
    }

    private Reply refreshAfterFailure(Reply reply) {
        if (reply instanceof Reply.Failed) {
            shards.refreshMap();
        }
        return reply;
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    /** Completes with a vote if each shard answers. There is nothing to admit. */
    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        List<ScriptNode> serving = shards.serving();
        if (serving.isEmpty()) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown(shards.unknown()));
        } else if (settings.guarded()) {
            return CompletableFuture.completedFuture(
                    new NodeStanding.Unknown("a cluster has no quarantine; there is nothing to admit"));
        }
        return RedisReplies.all(serving.stream().map(ScriptNode::shardVote).toList())
                .thenApply(standings -> standings.stream()
                        .filter(NodeStanding.Unknown.class::isInstance)
                        .findFirst()
                        .orElse(NodeStanding.Admitted.of(FencingToken.NONE)));
    }

    @Override
    public NodeAdmin admin() {
        return new ClusterAdmin(shards);
    }

    @Override
    public RecordStore records() {
        return new ClusterRecords(shards);
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

    @Override
    public CompletionStage<?> freed() {
        return shards.freed();
    }
}
