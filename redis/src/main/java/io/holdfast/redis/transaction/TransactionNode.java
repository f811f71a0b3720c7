package io.holdfast.redis.transaction;

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
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.doctor.RedisNodeAdmin;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A node on a server that runs no scripts. Each claim watches its keys, reads them, and changes them in a transaction
 * that has no effect if another client changed them meanwhile. Compares owners, checks fences and seals attempts as the
 * scripts do.
 *
 * <p>It has no wait queue, so that waiters poll; no shared locks; and no quarantine, so its server must be durable, or
 * the only one. A claim takes two round trips, and claims run one after another. Thread-safe.
 */
public final class TransactionNode implements LockNode {
    /** The number of attempts of a claim whose keys other clients change meanwhile. */
    private static final int ATTEMPTS = 10;
    /** The time to live of a fence. A later fence is greater, unless the clock of a client is a day slow. */
    private static final Duration FENCE_TTL = Duration.ofDays(1);

    private final NodeConnection connection;
    private final NodeSettings settings;
    private final LockValueFormat format;
    private final HandshakeGate gate;
    private final Transactions transactions;
    private volatile @Nullable RedisSession lastTransactional;

    /**
     * Creates a node that owns the connection: closing the node closes it.
     *
     * @param distinctServers one object for all nodes of a client
     */
    public TransactionNode(
            NodeConnection connection,
            NodeSettings settings,
            DistinctServers distinctServers,
            LockValueFormat format,
            Time time) {
        this.connection = connection;
        this.settings = settings;
        this.format = format;
        this.transactions = new Transactions(connection);
        this.gate = new HandshakeGate(connection, settings, distinctServers, false, time, transactions::between);
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
        String cause = unfit();
        if (cause != null) {
            return CompletableFuture.completedFuture(Reply.unfit(cause));
        } else if (claim.isShared()) {
            return refuse("without scripts it supports no shared locks");
        }
        HandshakeGate.ServerTask<Reply> task =
                (server, run) -> transactions.run(server.session(), () -> attempt(server.session(), claim, ATTEMPTS));
        return transactions.begin(
                () -> gate.whenIdentified(task, ReplyParser::failure), () -> Reply.notSent(Transactions.TOO_MANY));
    }

    /** Returns the reason why this node must not vote for such a client; null if it may. */
    private @Nullable String unfit() {
        String lack = settings.guarded()
                ? "has no quarantine; declare the nodes durable"
                : "does not wait for replicas; remove replicas from the options";
        return settings.guarded() || settings.replicas() > 0 ? "without scripts it " + lack + ", or use scripts" : null;
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    private CompletionStage<Reply> attempt(RedisSession session, Claim claim, int attempts) {
        Keys keys = Keys.of(claim.resource());
        List<CompletionStage<RedisReply>> replies = List.of(
                session.send(List.of("WATCH", keys.lock(), keys.fence(), keys.owner())),
                session.send(List.of("PTTL", keys.lock())),
                // MGET would read a key of another type as missing, and its value would be overwritten.
                session.send(List.of("GET", keys.lock())),
                session.send(List.of("MGET", keys.fence(), keys.owner())),
                session.send(List.of("TIME")));
        return RedisReplies.all(replies).thenCompose(read -> {
            RedisReply failure = RedisReplies.firstFailure(read);
            if (failure != null) {
                return session.send(List.of("UNWATCH")).thenApply(done -> notSent(session, keys, failure));
            }
            @Nullable WatchedState state = WatchedState.of(read);
            if (state == null) {
                return session.send(List.of("UNWATCH")).thenApply(done -> ReplyParser.failure(read.get(2)));
            }
            Decision decision = decide(claim, keys, state);
            if (decision.writes().isEmpty()) {
                return session.send(List.of("UNWATCH")).thenApply(done -> decision.reply());
            }
            return write(session, keys, decision.writes()).thenCompose(outcome -> {
                if (outcome != null) {
                    return CompletableFuture.completedFuture(
                            outcome.equals(Reply.GRANTED) ? decision.reply() : outcome);
                }
                return attempts > 1
                        ? attempt(session, claim, attempts - 1)
                        : refuse("other clients change the lock all the time");
            });
        });
    }

    /** Converts a failure before the transaction, which means that nothing was changed. */
    private Reply notSent(RedisSession session, Keys keys, RedisReply failure) {
        gate.replaceIfWrongServer(session, failure);
        if (failure instanceof RedisReply.ServerError error && MissingRight.isCauseOf(error.message())) {
            return Reply.unfit(MissingRight.explain(error.message(), keys.rights()));
        }
        Reply.Failed failed = ReplyParser.failure(failure);
        return new Reply.Failed(false, failed.cause(), failed.lasting());
    }

    /** Completes with {@code GRANTED} after the writes, or with null, and nothing written, if a key was changed. */
    private CompletionStage<@Nullable Reply> write(RedisSession session, Keys keys, List<List<String>> writes) {
        if (session == lastTransactional) {
            return finish(session.send(List.of("MULTI")), session, keys, writes);
        }
        // If MULTI were rejected, the server would carry out the commands after it at once.
        return session.send(List.of("MULTI")).thenCompose(begun -> {
            if (!(begun instanceof RedisReply.Value)) {
                return CompletableFuture.completedFuture(notSent(session, keys, begun));
            }
            lastTransactional = session;
            return finish(CompletableFuture.completedFuture(begun), session, keys, writes);
        });
    }

    private CompletionStage<@Nullable Reply> finish(
            CompletionStage<RedisReply> begun, RedisSession session, Keys keys, List<List<String>> writes) {
        List<CompletionStage<RedisReply>> replies = new ArrayList<>();
        replies.add(begun);
        writes.forEach(write -> replies.add(session.send(write)));
        replies.add(session.send(List.of("EXEC")));
        return RedisReplies.all(replies).thenApply(done -> {
            RedisReply exec = done.get(done.size() - 1);
            if (exec instanceof RedisReply.NoReply) {
                return ReplyParser.failure(exec);
            }
            RedisReply failure = RedisReplies.firstFailure(done);
            if (failure != null) {
                return notSent(session, keys, failure);
            }
            return exec.equals(new RedisReply.Value(null)) ? null : Reply.GRANTED;
        });
    }

    private Decision decide(Claim claim, Keys keys, WatchedState state) {
        boolean isHeld = state.isHeldBy(claim, format);
        return switch (claim.action()) {
            case ACQUIRE -> isHeld ? Decision.noWrites(Reply.GRANTED) : acquire(claim, keys, state);
            case EXTEND -> isHeld ? extend(claim, keys, state) : Decision.noWrites(refused(state));
            // This node has no wait queue, so no waiter will be notified.
            case QUERY -> Decision.noWrites(Reply.GRANTED);
            case REPAIR -> isHeld ? extend(claim, keys, state) : acquire(claim, keys, state);
            default -> release(claim, keys, state, isHeld);
        };
    }

    /** Decides a claim or a repair whose owner does not hold the lock. */
    private Decision acquire(Claim claim, Keys keys, WatchedState state) {
        if (!state.timeLeft(format).isZero()) {
            boolean isAcquire = claim.action() == Claim.Action.ACQUIRE;
            return Decision.noWrites(isAcquire ? refusedAcquire(state) : refused(state));
        } else if (!claim.fence().isAbove(state.fence())) {
            return Decision.noWrites(new Reply.Stale(state.fence()));
        } else if (isAhead(claim.fence(), state)) {
            return Decision.noWrites(new Reply.Ahead(state.present()));
        }
        return new Decision(Reply.GRANTED, take(claim, keys, state));
    }

    private Decision extend(Claim claim, Keys keys, WatchedState state) {
        Duration left = state.timeLeft(format);
        boolean longEnough = left.compareTo(claim.ttl()) >= 0 && !left.equals(Reply.Refused.ENDLESS);
        return longEnough ? Decision.noWrites(Reply.GRANTED) : new Decision(Reply.GRANTED, set(claim, keys, state));
    }

    private Decision release(Claim claim, Keys keys, WatchedState state, boolean isHeld) {
        List<List<String>> writes = new ArrayList<>();
        if (isHeld && claim.action() == Claim.Action.RETAIN) {
            writes.addAll(set(claim.ofRetained(), keys, state));
        } else if (isHeld) {
            writes.add(List.of("DEL", keys.lock(), keys.owner()));
        }
        FencingToken seal = claim.greatestFence().next();
        // A node that accepted the greatest fence of the attempt accepts only greater ones, so it needs no seal.
        boolean isSealed = isHeld && !claim.greatestFence().isAbove(state.fence());
        if (!isSealed && seal.isAbove(state.fence()) && !isAhead(seal, state)) {
            writes.add(accept(keys, seal));
        }
        return new Decision(isHeld ? Reply.GRANTED : refused(state), writes);
    }

    private List<List<String>> take(Claim claim, Keys keys, WatchedState state) {
        List<List<String>> writes = new ArrayList<>(set(claim, keys, state));
        writes.add(accept(keys, claim.greatestFence()));
        return writes;
    }

    private List<List<String>> set(Claim claim, Keys keys, WatchedState state) {
        String value = format.value(claim, state.now());
        String millis = Long.toString(format.keyMillis(claim, state.now()));
        List<List<String>> writes = new ArrayList<>();
        writes.add(List.of("SET", keys.lock(), value, "PX", millis));
        if (format.isAnonymous()) {
            writes.add(List.of("SET", keys.owner(), WatchedState.ownerRecord(value, claim), "PX", millis));
        }
        return writes;
    }

    private static List<String> accept(Keys keys, FencingToken fence) {
        return List.of("SET", keys.fence(), fence.toString(), "PX", Long.toString(FENCE_TTL.toMillis()));
    }

    private Reply refused(WatchedState state) {
        return new Reply.Refused(state.timeLeft(format), state.fence(), 0);
    }

    private Reply refusedAcquire(WatchedState state) {
        return new Reply.Refused(
                state.timeLeft(format), state.fence(), state.now().micros(), state.holderMark(format));
    }

    private static boolean isAhead(FencingToken fence, WatchedState state) {
        return FenceRules.isTooFarAhead(fence, state.present());
    }

    /** Completes with a vote if the node answers. There is nothing to admit. */
    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        String cause = unfit();
        if (cause != null) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown(cause, true));
        }
        return gate.whenIdentified(
                (server, run) -> transactions
                        .between(server.session())
                        .send(List.of("TIME"))
                        .thenApply(ReplyParser::vote),
                ReplyParser::unknown);
    }

    @Override
    public TransactionRecords records() {
        return new TransactionRecords(gate, transactions);
    }

    @Override
    public NodeAdmin admin() {
        return new RedisNodeAdmin(settings, gate, RequiredAcl.WITHOUT_SCRIPTS, FENCE_TTL, records()::storeNote);
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
