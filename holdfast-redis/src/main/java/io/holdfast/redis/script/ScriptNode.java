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
 * A node on one Redis or Valkey master. Converts claims to scripts, and the server's replies to replies of the node.
 * Each connection first identifies its server; a server that must not be a node receives no claim. Thread-safe.
 */
public final class ScriptNode implements LockNode {

    /** The most extensions in one command: few enough that commands behind it are hardly delayed. */
    static final int MAX_BATCH = 100;

    /** The time limit of {@code WAIT}, below the node timeout. It delays later commands on the same connection. */
    private static final String REPLICATION_MILLIS = "25";

    private final NodeConnection connection;
    private final NodeSettings settings;
    private final String config;
    private final HandshakeGate gate;
    private final Function<String, Keys> keysOf;
    private volatile ServerSession.@Nullable Listener listener;

    /**
     * Creates a node that owns the connection: closing the node closes it.
     *
     * @param distinctServers one object for all nodes of a client
     */
    public ScriptNode(NodeConnection connection, NodeSettings settings, DistinctServers distinctServers, Time time) {
        this(connection, settings, new HandshakeGate(connection, settings, distinctServers, false, time), Keys::of);
    }

    /** Creates the part of a cluster node that leads to one shard. */
    public static ScriptNode shard(
            NodeConnection connection, NodeSettings settings, DistinctServers distinctServers, Time time) {
        return new ScriptNode(
                connection,
                settings,
                new HandshakeGate(connection, settings, distinctServers, true, time),
                Keys::inCluster);
    }

    private ScriptNode(
            NodeConnection connection, NodeSettings settings, HandshakeGate gate, Function<String, Keys> keys) {
        this.connection = connection;
        this.settings = settings;
        this.gate = gate;
        this.keysOf = keys;
        this.config = ReplyParser.text(settings.config());
    }

    @Override
    public String name() {
        return connection.name();
    }

    @Override
    public NodeStatus status() {
        return gate.status();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return gate.whenIdentified(
                (server, runId) -> send(server, runId, claim)
                        .thenApply(answer -> ReplyParser.reply(
                                gate.replaceIfWrongServer(server.session(), answer), settings.config()))
                        .thenCompose(reply -> waitForReplicas(server.session(), claim, reply)),
                ReplyParser::failure);
    }

    /** Completes a granted acquire only when enough replicas have the lock. */
    private CompletionStage<Reply> waitForReplicas(RedisSession session, Claim claim, Reply reply) {
        boolean isTaken = claim.action() == Claim.Action.ACQUIRE && reply instanceof Reply.Granted;
        if (!isTaken || settings.replicas() == 0) {
            return CompletableFuture.completedFuture(reply);
        }
        return session.send(List.of("WAIT", Integer.toString(settings.replicas()), REPLICATION_MILLIS))
                .thenApply(
                        answer -> answer instanceof RedisReply.Value ? replicated(answer, reply) : waitFailed(answer));
    }

    private Reply replicated(RedisReply answer, Reply reply) {
        return RedisReplies.number(answer) >= settings.replicas()
                ? reply
                : Reply.unknown(RedisReplies.number(answer) + " of " + settings.replicas()
                        + " replicas have the lock after " + REPLICATION_MILLIS + " ms");
    }

    private static Reply waitFailed(RedisReply answer) {
        boolean forbidden = answer instanceof RedisReply.ServerError error
                && error.message().startsWith("NOPERM");
        return Reply.unknown(
                forbidden
                        ? "the user may not WAIT for replicas, which withReplicas requires; grant "
                                + RequiredAcl.FOR_REPLICAS
                        : ReplyParser.failure(answer).cause());
    }

    private CompletionStage<RedisReply> send(ServerSession server, String runId, Claim claim) {
        RedisSession session = server.session();
        Keys keys = keysOf.apply(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        String fence = claim.fence().toString();
        String greatest = claim.greatestFence().toString();
        WaitTicket ticket = claim.ticket() != null && server.subscribe(listener) ? claim.ticket() : null;
        String entry = ticket == null ? "" : ticket.entry();
        String number = ticket == null ? "" : Long.toString(ticket.number());
        String fair = ticket != null && ticket.fair() ? "1" : "0";
        String requeues = claim.action() == Claim.Action.RELEASE_AND_REQUEUE ? "1" : "0";
        if (claim.isShared()) {
            return switch (claim.action()) {
                case ACQUIRE ->
                    Script.ACQUIRE_SHARED.onShared(
                            session, keys, owner, ttlMillis, fence, greatest, runId, config, entry, number);
                case EXTEND -> Script.EXTEND_SHARED.onShared(session, keys, owner, ttlMillis);
                case REPAIR -> Script.REPAIR_SHARED.onShared(session, keys, owner, ttlMillis, greatest, runId, config);
                case RELEASE, RELEASE_AND_REQUEUE ->
                    Script.RELEASE_SHARED.onShared(session, keys, owner, greatest, entry, number, requeues);
            };
        }
        return switch (claim.action()) {
            case ACQUIRE ->
                Script.ACQUIRE.on(session, keys, owner, ttlMillis, fence, greatest, runId, config, entry, number, fair);
            case EXTEND -> Script.EXTEND.on(session, keys, owner, ttlMillis);
            case REPAIR -> Script.REPAIR.on(session, keys, owner, ttlMillis, greatest, runId, config);
            case RELEASE, RELEASE_AND_REQUEUE ->
                Script.RELEASE.on(session, keys, owner, greatest, entry, number, requeues);
        };
    }

    /** Sends extensions of exclusive locks in batches, and other claims one by one. */
    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        boolean extensions =
                claims.stream().allMatch(claim -> claim.action() == Claim.Action.EXTEND && !claim.isShared());
        if (!extensions) {
            return LockNode.super.askAll(claims);
        }
        List<CompletionStage<Reply>> replies = new ArrayList<>(claims.size());
        for (int from = 0; from < claims.size(); from += MAX_BATCH) {
            replies.addAll(extend(claims.subList(from, Math.min(claims.size(), from + MAX_BATCH))));
        }
        return replies;
    }

    /** Sends a refused extension again by itself, to learn the reason. */
    private List<CompletionStage<Reply>> extend(List<Claim> batch) {
        CompletionStage<BatchExtension> extended = gate.whenIdentified(
                (server, runId) -> BatchExtension.send(server.session(), batch), BatchExtension::failed);
        return IntStream.range(0, batch.size())
                .mapToObj(i -> extended.thenCompose(all -> {
                    Reply reply = all.reply(i);
                    return reply == null ? ask(batch.get(i)) : CompletableFuture.completedFuture(reply);
                }))
                .toList();
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return gate.whenIdentified(
                (server, runId) -> send(server.session(), runId, probe)
                        .thenApply(answer -> ReplyParser.standing(
                                gate.replaceIfWrongServer(server.session(), answer), settings.config())),
                none -> new NodeStanding.Unknown(none.cause()));
    }

    private CompletionStage<RedisReply> send(RedisSession session, String runId, QuarantineProbe probe) {
        FencingToken floor = probe.floor();
        return Script.PROBE.on(
                session,
                Keys.of("holdfast"),
                runId,
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
        ServerSession server = gate.knownSession();
        return server != null && server.subscribe(listener);
    }

    @Override
    public NodeAdmin admin() {
        return new RedisNodeAdmin(connection, settings, gate);
    }

    @Override
    public void close() {
        connection.close();
    }
}
