package io.holdfast.redis.connection;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStatus;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.client.ServerErrors;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets nothing reach a server before it has said what it is, and nothing at all if it may not be a node. Asks it again every few
 * seconds, and replaces the connection to a server that has changed. Thread-safe.
 */
public final class HandshakeGate {

    /** A server that hangs from the beginning costs bounded memory. */
    public static final int MAX_WAITING = 10_000;

    /** How soon a node stops voting whose server has become a replica, or evicts keys now. */
    private static final Duration PATROL_INTERVAL = Duration.ofSeconds(5);

    private final NodeConnection port;
    private final NodeSettings settings;
    private final DistinctServers distinctServers;
    private final boolean shard;
    private final Time time;
    private final Asking asking;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile @Nullable ServerSession acquaintance;

    /** Why the last server that said what it is got no claim; null: it was fit. Also while its connection is replaced. */
    private volatile @Nullable String refusal;

    /** How a command is sent that belongs to no claim. */
    public interface Asking {
        CompletionStage<RedisReply> ask(RedisSession session, List<String> command);
    }

    public HandshakeGate(
            NodeConnection port, NodeSettings settings, DistinctServers distinctServers, boolean shard, Time time) {
        this(port, settings, distinctServers, shard, time, RedisSession::send);
    }

    /**
     * The gate to one server.
     *
     * @param shard whether it is a shard of a cluster that is a node in all its parts
     */
    public HandshakeGate(
            NodeConnection port,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard,
            Time time,
            Asking asking) {
        this.port = port;
        this.settings = settings;
        this.distinctServers = distinctServers;
        this.shard = shard;
        this.time = time;
        this.asking = asking;
    }

    /** Something to do with a server that may be a node. */
    public interface Dealing<T> {
        CompletionStage<T> with(ServerSession server, String run);
    }

    /** Deals with the server at the other end of the present connection, or says why not. */
    public <T> CompletionStage<T> introduced(Dealing<T> dealing, Function<RedisReply.Lost, T> otherwise) {
        ServerSession known = acquaintance();
        boolean waits = !known.introduction().isDone();
        if (waits && waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(otherwise.apply(
                    new RedisReply.Lost(false, MAX_WAITING + " claims wait for the server to say what it is")));
        }
        return known.introduction().thenCompose(introduction -> {
            if (waits) {
                waiting.decrementAndGet();
            }
            String reason = introduction.reasonAgainst();
            if (reason == null) {
                if (refusal != null) {
                    refusal = null;
                }
                return dealing.with(known, introduction.run());
            }
            // Asked again the next time: a replica is promoted, a setting is mended, a script ends.
            forget(known);
            refusal = introduction.objection();
            replaceLater(known, introduction);
            return CompletableFuture.completedFuture(otherwise.apply(new RedisReply.Lost(false, reason)));
        });
    }

    /** The condition of the node as its connection shows it. */
    public NodeStatus status() {
        Outage outage = port.outage();
        if (outage != null) {
            return NodeStatus.unreachable(port.name(), time.now().surelySince(outage.since()), outage.cause());
        }
        String reason = refusal;
        return reason == null ? NodeStatus.voting(port.name()) : NodeStatus.refused(port.name(), reason);
    }

    /** Why a server that says this of itself may not be the node; or null. */
    @Nullable
    public String objection(Map<String, String> info) {
        return ServerIdentity.objection(info, info.getOrDefault("run_id", ""), port.name(), distinctServers, shard);
    }

    /** The commands that the user of a session needs here. */
    public List<String> uses() {
        return RequiredAcl.uses(settings.replicas() > 0, shard);
    }

    /** The server at the other end of the present connection, if anything has been asked over that. */
    @Nullable
    public ServerSession present() {
        ServerSession known = acquaintance;
        return known != null && known.session() == port.session() ? known : null;
    }

    /** Returns the answer; replaces the connection if that leads to a server that cannot be the node. */
    public RedisReply checked(RedisSession session, RedisReply answer) {
        if (!shard && answer instanceof RedisReply.ServerError error && ServerErrors.isElsewhere(error.message())) {
            port.replace(session, ServerErrors.explain(error.message()));
        }
        return answer;
    }

    private void forget(ServerSession known) {
        if (known.equals(acquaintance)) {
            acquaintance = null;
        }
    }

    private ServerSession acquaintance() {
        RedisSession session = port.session();
        ServerSession known = acquaintance;
        if (known != null && known.session() == session) {
            return known;
        }
        ServerSession fresh = new ServerSession(session, introduction(session).toCompletableFuture());
        acquaintance = fresh;
        fresh.introduction().thenAccept(introduction -> {
            if (introduction.reasonAgainst() == null) {
                patrol(fresh, introduction);
            }
        });
        return fresh;
    }

    private CompletionStage<ServerIdentity> introduction(RedisSession session) {
        return asking.ask(session, List.of("INFO"))
                .thenApply(answer -> ServerIdentity.of(answer, port.name(), settings, distinctServers, shard));
    }

    private void patrol(ServerSession known, ServerIdentity before) {
        time.schedule(PATROL_INTERVAL, () -> {
            if (known.equals(present())) {
                introduction(known.session()).thenAccept(now -> compare(known, before, now));
            }
        });
    }

    private void compare(ServerSession known, ServerIdentity before, ServerIdentity now) {
        String reason = now.reasonAgainst();
        if (now.equals(before) || now.unknown() != null) {
            patrol(known, before);
        } else {
            port.replace(known.session(), reason == null ? "its server was a replica for a time" : reason);
        }
    }

    /** The address may lead to another server by now: a Sentinel knows a new master, or a name has moved. */
    private void replaceLater(ServerSession known, ServerIdentity introduction) {
        String objection = introduction.objection();
        if (objection != null && replacing.compareAndSet(false, true)) {
            time.schedule(PATROL_INTERVAL, () -> {
                replacing.set(false);
                ServerSession present = present();
                if (present == null || present.isUnfit()) {
                    port.replace(known.session(), objection);
                }
            });
        }
    }
}
