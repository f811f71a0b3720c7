package io.holdfast.redis.script;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.connection.ServerSession;
import io.holdfast.redis.doctor.RedisNodeAdmin;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A vote on one Redis or Valkey master: claims become scripts, answers become replies. Each connection begins with the
 * server's introduction; a server that is no node gets no claim. Thread-safe.
 */
public final class ScriptNode implements LockNode {

    /** How many extensions share a command: few enough that others wait for it no longer than for a few of their own. */
    static final int MAX_TOGETHER = 100;

    /** Within the time that a node has to answer; what is asked after it on the same connection waits as well. */
    private static final String REPLICATION_MILLIS = "25";

    private final NodeConnection port;
    private final NodeSettings settings;
    private final String config;
    private final HandshakeGate gate;
    private final Function<String, Keys> keysOf;
    private volatile ServerSession.@Nullable Listener listener;

    /**
     * A node that owns the port: closing the node closes it.
     *
     * @param neighbours the same object for all nodes of a client
     */
    public ScriptNode(NodeConnection port, NodeSettings settings, DistinctServers distinctServers, Time time) {
        this(port, settings, new HandshakeGate(port, settings, distinctServers, false, time), Keys::of);
    }

    /** A part of a node. */
    public static ScriptNode shard(
            NodeConnection port, NodeSettings settings, DistinctServers distinctServers, Time time) {
        return new ScriptNode(
                port, settings, new HandshakeGate(port, settings, distinctServers, true, time), Keys::inCluster);
    }

    private ScriptNode(NodeConnection port, NodeSettings settings, HandshakeGate gate, Function<String, Keys> keys) {
        this.port = port;
        this.settings = settings;
        this.gate = gate;
        this.keysOf = keys;
        this.config = ReplyParser.text(settings.config());
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public NodeStatus status() {
        return gate.status();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return gate.introduced(
                (server, run) -> run(server, run, claim)
                        .thenApply(
                                answer -> ReplyParser.reply(gate.checked(server.session(), answer), settings.config()))
                        .thenCompose(reply -> onReplicas(server.session(), claim, reply)),
                ReplyParser::failure);
    }

    /** A lock that was granted counts once enough replicas have it. */
    private CompletionStage<Reply> onReplicas(RedisSession session, Claim claim, Reply reply) {
        boolean took = claim.action() == Claim.Action.ACQUIRE && reply instanceof Reply.Granted;
        if (!took || settings.replicas() == 0) {
            return CompletableFuture.completedFuture(reply);
        }
        return session.send(List.of("WAIT", Integer.toString(settings.replicas()), REPLICATION_MILLIS))
                .thenApply(answer -> answer instanceof RedisReply.Value ? onReplicas(answer, reply) : unasked(answer));
    }

    private Reply onReplicas(RedisReply answer, Reply reply) {
        return RedisReplies.number(answer) >= settings.replicas()
                ? reply
                : Reply.unknown(RedisReplies.number(answer) + " of " + settings.replicas()
                        + " replicas have the lock after " + REPLICATION_MILLIS + " ms");
    }

    private static Reply unasked(RedisReply answer) {
        boolean forbidden = answer instanceof RedisReply.ServerError error
                && error.message().startsWith("NOPERM");
        return Reply.unknown(
                forbidden
                        ? "the user may not WAIT for replicas, as withReplicas has it; grant "
                                + RequiredAcl.FOR_REPLICAS
                        : ReplyParser.failure(answer).cause());
    }

    private CompletionStage<RedisReply> run(ServerSession server, String run, Claim claim) {
        RedisSession session = server.session();
        Keys keys = keysOf.apply(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        String fence = claim.fence().toString();
        String top = claim.greatestFence().toString();
        WaitTicket ticket = claim.ticket() != null && server.tells(listener) ? claim.ticket() : null;
        String place = ticket == null ? "" : ticket.entry();
        String number = ticket == null ? "" : Long.toString(ticket.number());
        String fair = ticket != null && ticket.fair() ? "1" : "0";
        String stays = claim.action() == Claim.Action.RELEASE_AND_REQUEUE ? "1" : "0";
        if (claim.isShared()) {
            return switch (claim.action()) {
                case ACQUIRE ->
                    Script.ACQUIRE_SHARED.onShares(
                            session, keys, owner, ttlMillis, fence, top, run, config, place, number);
                case EXTEND -> Script.EXTEND_SHARED.onShares(session, keys, owner, ttlMillis);
                case REPAIR -> Script.REPAIR_SHARED.onShares(session, keys, owner, ttlMillis, top, run, config);
                case RELEASE, RELEASE_AND_REQUEUE ->
                    Script.RELEASE_SHARED.onShares(session, keys, owner, top, place, number, stays);
            };
        }
        return switch (claim.action()) {
            case ACQUIRE ->
                Script.ACQUIRE.on(session, keys, owner, ttlMillis, fence, top, run, config, place, number, fair);
            case EXTEND -> Script.EXTEND.on(session, keys, owner, ttlMillis);
            case REPAIR -> Script.REPAIR.on(session, keys, owner, ttlMillis, top, run, config);
            case RELEASE, RELEASE_AND_REQUEUE -> Script.RELEASE.on(session, keys, owner, top, place, number, stays);
        };
    }

    /** Extensions share commands; all else is asked for one after another. */
    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        boolean extensions =
                claims.stream().allMatch(claim -> claim.action() == Claim.Action.EXTEND && !claim.isShared());
        if (!extensions) {
            return LockNode.super.askAll(claims);
        }
        List<CompletionStage<Reply>> replies = new ArrayList<>(claims.size());
        for (int from = 0; from < claims.size(); from += MAX_TOGETHER) {
            replies.addAll(extend(claims.subList(from, Math.min(claims.size(), from + MAX_TOGETHER))));
        }
        return replies;
    }

    /** What cannot be extended is asked again by itself, for the reason. */
    private List<CompletionStage<Reply>> extend(List<Claim> together) {
        CompletionStage<BatchExtension> extended =
                gate.introduced((server, run) -> BatchExtension.of(server.session(), together), BatchExtension::none);
        return IntStream.range(0, together.size())
                .mapToObj(i -> extended.thenCompose(all -> {
                    Reply reply = all.reply(i);
                    return reply == null ? ask(together.get(i)) : CompletableFuture.completedFuture(reply);
                }))
                .toList();
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return gate.introduced(
                (server, run) -> run(server.session(), run, probe)
                        .thenApply(answer ->
                                ReplyParser.standing(gate.checked(server.session(), answer), settings.config())),
                lost -> new NodeStanding.Unknown(lost.cause()));
    }

    private CompletionStage<RedisReply> run(RedisSession session, String run, QuarantineProbe probe) {
        FencingToken floor = probe.floor();
        return Script.PROBE.on(
                session,
                Keys.of("holdfast"),
                run,
                probe.observer(),
                probe.next(),
                probe.takeOver() ? "1" : "0",
                Long.toString(probe.observed().toMillis()),
                Long.toString(probe.needed().toMillis()),
                floor == null ? "" : floor.toString(),
                ReplyParser.text(probe.config()));
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        listener = new ServerSession.Listener(inbox, consumer);
    }

    @Override
    public boolean canNotify() {
        ServerSession known = gate.present();
        return known != null && known.tells(listener);
    }

    @Override
    public NodeAdmin admin() {
        return new RedisNodeAdmin(port, settings, gate);
    }

    @Override
    public void close() {
        port.close();
    }
}
