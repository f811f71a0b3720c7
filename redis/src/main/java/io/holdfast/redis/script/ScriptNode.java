package io.holdfast.redis.script;

import io.holdfast.lease.FenceRules;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.node.batch.ClaimBatches;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.connection.ServerSession;
import io.holdfast.redis.doctor.RedisNodeAdmin;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.MachineReading;
import io.holdfast.time.Time;
import java.time.Duration;
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

    /** The time limit of {@code WAIT}, below the node timeout. It delays later commands on the same connection. */
    private static final String REPLICATION_MILLIS = "25";

    private final NodeConnection connection;
    private final NodeSettings settings;
    private final String config;
    private final HandshakeGate gate;
    private final Function<String, Keys> keysOf;
    private final ClaimScripts scripts;
    private volatile ServerSession.@Nullable Listener listener;

    /**
     * Creates a node that owns the connection: closing the node closes it.
     *
     * @param distinctServers one object for all nodes of a client
     */
    public ScriptNode(NodeConnection connection, NodeSettings settings, DistinctServers distinctServers, Time time) {
        this(connection, settings, distinctServers, false, time);
    }

    /** Creates the part of a cluster node that leads to one shard. */
    public static ScriptNode shard(
            NodeConnection connection, NodeSettings settings, DistinctServers distinctServers, Time time) {
        return new ScriptNode(connection, settings, distinctServers, true, time);
    }

    private ScriptNode(
            NodeConnection connection,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard,
            Time time) {
        this.connection = connection;
        this.settings = settings;
        this.gate = new HandshakeGate(connection, settings, distinctServers, shard, time);
        this.keysOf = Keys.remembering(shard ? Keys::inCluster : Keys::of);
        this.config = ReplyParser.text(settings.config());
        // No client could wait for the replicas of a lock that a release by another client grants.
        this.scripts = new ClaimScripts(keysOf, config, settings.replicas() == 0, !shard);
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
                (server, runId) -> {
                    boolean isSubscribed = claim.ticket() != null && server.subscribe(listener);
                    Claim sent = isSubscribed ? claim : claim.withTicket(null);
                    return reply(server.session(), claim, scripts.send(server, runId, sent));
                },
                ReplyParser::failure);
    }

    private CompletionStage<Reply> reply(RedisSession session, Claim claim, CompletionStage<RedisReply> sent) {
        CompletionStage<Reply> parsed = sent.thenApply(answer -> ReplyParser.reply(
                gate.replaceIfWrongServer(session, answer), () -> keysOf.apply(claim.resource()), settings.config()));
        return claim.action() == Claim.Action.ACQUIRE && settings.replicas() > 0
                ? parsed.thenCompose(reply -> waitForReplicas(session, reply))
                : parsed;
    }

    /** Completes a granted acquire only when enough replicas have the lock. */
    private CompletionStage<Reply> waitForReplicas(RedisSession session, Reply reply) {
        if (!(reply instanceof Reply.Granted)) {
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
        boolean forbidden = answer instanceof RedisReply.ServerError error && MissingRight.isCauseOf(error.message());
        return Reply.unknown(
                forbidden
                        ? "the user may not WAIT for replicas, which the option replicas requires; grant "
                                + RequiredAcl.FOR_REPLICAS
                        : ReplyParser.failure(answer).cause());
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
        for (int from = 0; from < claims.size(); from += ClaimBatches.MAX_CLAIMS) {
            replies.addAll(extend(claims.subList(from, Math.min(claims.size(), from + ClaimBatches.MAX_CLAIMS))));
        }
        return replies;
    }

    /** Sends a refused extension again by itself, to learn the reason. */
    private List<CompletionStage<Reply>> extend(List<Claim> batch) {
        CompletionStage<BatchExtension> extended = gate.whenIdentified(
                (server, runId) -> server.claims().sendAlone(() -> BatchExtension.send(server.session(), batch)),
                BatchExtension::failed);
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
                ReplyParser::unknown);
    }

    /** Completes with a vote if the server answers: the marker of a node is in one slot, so most shards have none. */
    public CompletionStage<NodeStanding> shardVote() {
        return gate.whenIdentified(
                (server, runId) -> server.session().send(List.of("TIME")).thenApply(ReplyParser::vote),
                ReplyParser::unknown);
    }

    private CompletionStage<RedisReply> send(RedisSession session, RunId runId, QuarantineProbe probe) {
        FencingToken floor = probe.floor();
        MachineReading clock = probe.clock();
        NodeStanding.Agreed agreed = probe.agreed();
        return Script.PROBE.on(
                session,
                Keys.ofNode(),
                List.of(
                        runId.onWire(),
                        probe.observer(),
                        probe.next(),
                        probe.takeOver() ? "1" : "0",
                        Long.toString(probe.observed().toMillis()),
                        Long.toString(probe.needed().toMillis()),
                        floor == null ? "" : floor.toString(),
                        ReplyParser.text(probe.config()),
                        probe.quarantine(),
                        clock == null ? "" : clock.machine(),
                        clock == null ? "" : Long.toString(clock.uptime().toMillis()),
                        agreed == null ? "" : agreed.closed() ? "1" : "0",
                        agreed == null ? "" : agreed.mark()));
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
    public RecordStore records() {
        return scriptRecords();
    }

    private ScriptRecords scriptRecords() {
        return new ScriptRecords(gate, keysOf, config);
    }

    /** Lists a lock among those with a record, where its record lies on another server of a cluster. */
    public CompletionStage<RedisReply> listRecord(String resource, Duration keep) {
        return scriptRecords().list(resource, keep);
    }

    @Override
    public NodeAdmin admin() {
        List<String> required = RequiredAcl.examples(settings.replicas() > 0, gate.isShard());
        return new RedisNodeAdmin(settings, gate, required, FenceRules.LIFE, new AdminScripts(connection));
    }

    /** The scripts of an administrator. */
    private record AdminScripts(NodeConnection connection) implements RedisNodeAdmin.Writes {

        @Override
        public CompletionStage<RedisReply> storeNote(Keys keys, List<String> args) {
            return Script.ANNOTATE.on(connection.session(), keys.forNote(), args);
        }

        @Override
        public CompletionStage<RedisReply> agree(List<String> args) {
            return Script.AGREE.on(connection.session(), Keys.ofNode(), args);
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public CompletionStage<?> freed() {
        return connection.freed();
    }
}
