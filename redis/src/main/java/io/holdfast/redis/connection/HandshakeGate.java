package io.holdfast.redis.connection;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.batch.InFlight;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.ServerErrors;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds commands back until the server has been identified by {@code INFO}, and rejects them if it must not be used as
 * a node. Identifies the server again every few seconds, and replaces the connection if it has changed. Thread-safe.
 */
public final class HandshakeGate {

    /**
     * The most commands that wait for one server, so that a server that hangs from the beginning costs bounded memory.
     */
    public static final int MAX_WAITING = 10_000;

    /** The longest time for which a node still votes after its server became a replica or started to evict keys. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final NodeConnection connection;
    private final NodeSettings settings;
    private final DistinctServers distinctServers;
    private final boolean shard;
    private final Time time;
    private final UnaryOperator<RedisSession> between;
    private final InFlight waiting = new InFlight(MAX_WAITING);
    private final AtomicBoolean replacing = new AtomicBoolean();
    private final AtomicReference<@Nullable ServerSession> lastSession = new AtomicReference<>();
    private final ClaimWatch watch;

    /** The reason why the last identified server must not be a node, or null. Kept while its connection is replaced. */
    private volatile @Nullable String rejection;

    /** A task that needs a server that may be a node. */
    public interface ServerTask<T> {

        /**
         * Runs the task.
         *
         * @param runId the process of the server, to send with claims
         */
        CompletionStage<T> run(ServerSession server, RunId runId);
    }

    /** Creates a gate to a server to which any command may be sent at any time. */
    public HandshakeGate(
            NodeConnection connection,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard,
            Time time) {
        this(connection, settings, distinctServers, shard, time, UnaryOperator.identity());
    }

    /**
     * Creates a gate to one server.
     *
     * @param distinctServers one object for all nodes of a client
     * @param shard {@code true} if the server is a shard of a cluster that is one node
     * @param between returns a session for commands that belong to no claim
     */
    public HandshakeGate(
            NodeConnection connection,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard,
            Time time,
            UnaryOperator<RedisSession> between) {
        this.connection = connection;
        this.settings = settings;
        this.distinctServers = distinctServers;
        this.shard = shard;
        this.time = time;
        this.between = between;
        this.watch = new ClaimWatch(connection, time, this::knownSession);
    }

    /**
     * Runs the task when the server of the current connection has been identified, or converts the reason against it.
     */
    public <T> CompletionStage<T> whenIdentified(ServerTask<T> task, Function<RedisReply.NoReply, T> onRejection) {
        ServerSession server = currentSession();
        CompletableFuture<ServerIdentity> identity = server.identity();
        if (identity.isDone() && ThreadWait.resultOf(identity) instanceof ServerIdentity.Fit fit) {
            return watch.over(server, () -> run(server, fit, task));
        }
        return waiting.run(
                () -> watch.over(
                        server, () -> identity.thenCompose(known -> identified(server, known, task, onRejection))),
                () -> onRejection.apply(
                        new RedisReply.NoReply(false, MAX_WAITING + " claims wait for the server to say what it is")));
    }

    private <T> CompletionStage<T> identified(
            ServerSession server,
            ServerIdentity identity,
            ServerTask<T> task,
            Function<RedisReply.NoReply, T> onRejection) {
        if (identity instanceof ServerIdentity.Fit fit) {
            return run(server, fit, task);
        }
        String reason = Objects.requireNonNull(identity.reasonAgainst());
        // Identified again by the next command: a replica may be promoted, a setting corrected, a script ended.
        discard(server);
        rejection = identity.rejection();
        replaceLater(server, identity);
        return CompletableFuture.completedFuture(onRejection.apply(identity.noReply(reason)));
    }

    private <T> CompletionStage<T> run(ServerSession server, ServerIdentity.Fit fit, ServerTask<T> task) {
        if (rejection != null) {
            rejection = null;
        }
        try {
            return task.run(server, fit.run());
        } catch (RuntimeException | Error broken) {
            return CompletableFuture.failedFuture(broken);
        }
    }

    /** Returns the status of the node, as far as its connection shows it. */
    public NodeStatus status() {
        Outage disconnected = connection.outage();
        Outage outage = disconnected == null ? watch.outage() : disconnected;
        if (outage != null) {
            return NodeStatus.unreachable(connection.name(), time.now().surelySince(outage.since()), outage.cause());
        }
        String reason = rejection;
        return reason == null ? NodeStatus.voting(connection.name()) : NodeStatus.refused(connection.name(), reason);
    }

    /** Returns the reason why the server that sent this reply to {@code INFO} must not be the node, or null. */
    @Nullable
    public String rejection(RedisReply info) {
        return identity(info).rejection();
    }

    /** Returns {@code true} if the server is a shard of a cluster that is one node. */
    public boolean isShard() {
        return shard;
    }

    /** Returns the current session, for commands that belong to no claim. */
    public RedisSession session() {
        return between.apply(connection.session());
    }

    /** Returns the server of the current connection, or null if no command was sent over that connection yet. */
    @Nullable
    public ServerSession knownSession() {
        ServerSession known = lastSession.get();
        return known != null && known.session() == connection.session() ? known : null;
    }

    /** Replaces the connection if the reply shows that its server cannot be the node. Returns the explained reply. */
    public RedisReply replaceIfWrongServer(RedisSession session, RedisReply reply) {
        if (!shard && reply instanceof RedisReply.ServerError error && ServerErrors.isWrongServer(error.message())) {
            connection.replace(session, ServerErrors.explain(error.message()));
        }
        return explained(reply);
    }

    /**
     * Returns the reply. A shard that does not serve the slot has not carried out the command, and another attempt may
     * reach the shard that does.
     */
    public RedisReply explained(RedisReply reply) {
        return shard && reply instanceof RedisReply.ServerError error
                ? ServerErrors.explainOfShard(error.message())
                        .<RedisReply>map(reason -> new RedisReply.NoReply(false, reason))
                        .orElse(reply)
                : reply;
    }

    private void discard(ServerSession server) {
        lastSession.compareAndSet(server, null);
    }

    private ServerSession currentSession() {
        RedisSession session = connection.session();
        ServerSession known = lastSession.get();
        if (known != null && known.session() == session) {
            return known;
        }
        ServerSession fresh =
                new ServerSession(session, identify(session).toCompletableFuture(), () -> watch.isAnswer(session));
        fresh.identity().thenAccept(identity -> {
            if (identity instanceof ServerIdentity.Fit) {
                time.repeat(CHECK_INTERVAL, () -> identifyAgain(fresh, identity));
            }
        });
        // A session has one order of claims, that of the thread that was first.
        return lastSession.compareAndSet(known, fresh) ? fresh : currentSession();
    }

    private CompletionStage<ServerIdentity> identify(RedisSession session) {
        return between.apply(session)
                .send(List.of("INFO"))
                .thenApply(this::identity)
                .exceptionally(broken -> new ServerIdentity.Unknown(
                        new RedisReply.NoReply(false, "its reply to INFO cannot be examined: " + broken)));
    }

    private ServerIdentity identity(RedisReply info) {
        return ServerIdentity.of(info, connection.name(), settings, distinctServers, shard);
    }

    private boolean identifyAgain(ServerSession server, ServerIdentity before) {
        boolean connected = server.equals(knownSession());
        if (connected) {
            identify(server.session()).thenAccept(now -> compare(server, before, now));
        }
        return connected;
    }

    private void compare(ServerSession server, ServerIdentity before, ServerIdentity now) {
        if (!now.equals(before) && !(now instanceof ServerIdentity.Unknown)) {
            String reason = now.reasonAgainst();
            connection.replace(server.session(), reason == null ? "its server was a replica for a time" : reason);
        }
    }

    /**
     * Replaces the connection later: by then a Sentinel may know a new master, or the name may resolve to another
     * server.
     */
    private void replaceLater(ServerSession server, ServerIdentity identity) {
        String reason = identity.rejection();
        if (reason != null && replacing.compareAndSet(false, true)) {
            try {
                time.schedule(CHECK_INTERVAL, () -> replaceRejected(server, reason));
            } catch (Throwable failed) {
                replacing.set(false);
                throw failed;
            }
        }
    }

    private void replaceRejected(ServerSession server, String reason) {
        replacing.set(false);
        ServerSession known = knownSession();
        if (known == null || known.isRejected()) {
            connection.replace(server.session(), reason);
        }
    }
}
