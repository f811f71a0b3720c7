package io.holdfast.redis.transaction;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.FenceLead;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
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
 * A vote on a server that runs no scripts: each claim is a {@code WATCH} of its keys, a look at them, and a {@code MULTI} … {@code EXEC}
 * that has no effect if anybody has changed them meanwhile. Compares owners, checks and seals fences as scripts do. It has no line, so
 * that waiters ask again and again; no shared locks; and no quarantine, so its server must be durable, or a single one.
 *
 * <p>Two round trips for a claim, one claim after another. Thread-safe.
 */
public final class TransactionNode implements LockNode {

    /** How often a claim looks again at keys that others change all the time. */
    private static final int ATTEMPTS = 10;

    /** A fence that has gone is followed by a greater one as long as no client's clock is a day slow. */
    private static final Duration FENCE_LIFE = Duration.ofDays(1);

    private final NodeConnection port;
    private final NodeSettings settings;
    private final LockValueFormat form;
    private final HandshakeGate gate;
    private final SerialExecutor turns = new SerialExecutor();
    /** A session that is known to carry transactions. */
    private volatile @Nullable RedisSession transactional;

    public TransactionNode(
            NodeConnection port,
            NodeSettings settings,
            DistinctServers distinctServers,
            LockValueFormat form,
            Time time) {
        this.port = port;
        this.settings = settings;
        this.form = form;
        this.gate = new HandshakeGate(
                port,
                settings,
                distinctServers,
                false,
                time,
                (session, command) -> turns.next(() -> session.send(command)));
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
        if (settings.guarded()) {
            return refuse("without scripts it keeps no quarantine; declare the nodes durable, or use scripts");
        } else if (claim.isShared()) {
            return refuse("without scripts it shares no lock");
        } else if (turns.waiting() > HandshakeGate.MAX_WAITING) {
            return refuse(HandshakeGate.MAX_WAITING + " claims wait for this server");
        }
        return gate.introduced(
                (server, run) -> turns.next(() -> attempt(server.session(), claim, ATTEMPTS)), ReplyParser::failure);
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    private CompletionStage<Reply> attempt(RedisSession session, Claim claim, int attempts) {
        Keys keys = Keys.of(claim.resource());
        List<CompletionStage<RedisReply>> answers = List.of(
                session.send(List.of("WATCH", keys.lock(), keys.fence(), keys.beside())),
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.beside())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("TIME")));
        return RedisReplies.all(answers).thenCompose(read -> {
            RedisReply failure = RedisReplies.firstFailure(read);
            if (failure != null) {
                return CompletableFuture.completedFuture(notChanged(session, failure));
            }
            WatchedState seen = WatchedState.of(
                    RedisReplies.list(read.get(1)), RedisReplies.number(read.get(2)), RedisReplies.micros(read.get(3)));
            Decision decision = decide(claim, keys, seen);
            if (decision.writes().isEmpty()) {
                return session.send(List.of("UNWATCH")).thenApply(done -> decision.reply());
            }
            return write(session, decision.writes()).thenCompose(outcome -> {
                if (outcome != null) {
                    return CompletableFuture.completedFuture(
                            outcome.equals(Reply.GRANTED) ? decision.reply() : outcome);
                }
                return attempts > 1
                        ? attempt(session, claim, attempts - 1)
                        : refuse("others change the lock all the time");
            });
        });
    }

    /** What is asked before a transaction changes nothing, whatever becomes of it. */
    private Reply notChanged(RedisSession session, RedisReply failure) {
        gate.checked(session, failure);
        if (failure instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")) {
            return Reply.notSent("NOPERM: the user may not do this; without scripts it needs "
                    + RequiredAcl.withoutScripts() + ", and the key patterns of the locks");
        }
        return Reply.notSent(ReplyParser.failure(failure).cause());
    }

    /** Granted: the writes are done. Null: somebody has changed a key meanwhile, and nothing is done. */
    private CompletionStage<@Nullable Reply> write(RedisSession session, List<List<String>> writes) {
        if (session == transactional) {
            return finish(session.send(List.of("MULTI")), session, writes);
        }
        // Where MULTI is refused, what follows it would be done at once.
        return session.send(List.of("MULTI")).thenCompose(begun -> {
            if (!(begun instanceof RedisReply.Value)) {
                return CompletableFuture.completedFuture(notChanged(session, begun));
            }
            transactional = session;
            return finish(CompletableFuture.completedFuture(begun), session, writes);
        });
    }

    private CompletionStage<@Nullable Reply> finish(
            CompletionStage<RedisReply> begun, RedisSession session, List<List<String>> writes) {
        List<CompletionStage<RedisReply>> answers = new ArrayList<>();
        answers.add(begun);
        writes.forEach(write -> answers.add(session.send(write)));
        answers.add(session.send(List.of("EXEC")));
        return RedisReplies.all(answers).thenApply(done -> {
            RedisReply exec = done.get(done.size() - 1);
            if (exec instanceof RedisReply.Lost) {
                return ReplyParser.failure(exec);
            }
            RedisReply failure = RedisReplies.firstFailure(done);
            if (failure != null) {
                return notChanged(session, failure);
            }
            return exec.equals(new RedisReply.Value(null)) ? null : Reply.GRANTED;
        });
    }

    private record Decision(Reply reply, List<List<String>> writes) {

        static Decision nothing(Reply reply) {
            return new Decision(reply, List.of());
        }
    }

    private Decision decide(Claim claim, Keys keys, WatchedState seen) {
        boolean ours = seen.isOf(claim, form);
        return switch (claim.action()) {
            case ACQUIRE -> ours ? Decision.nothing(Reply.GRANTED) : acquire(claim, keys, seen);
            case EXTEND -> ours ? extend(claim, keys, seen) : Decision.nothing(refused(seen));
            case REPAIR -> ours ? extend(claim, keys, seen) : acquire(claim, keys, seen);
            case RELEASE, RELEASE_AND_REQUEUE -> giveUp(claim, keys, seen, ours);
        };
    }

    /** A claim or a repair of an owner who does not hold the lock. */
    private Decision acquire(Claim claim, Keys keys, WatchedState seen) {
        if (!seen.left(form).isZero()) {
            boolean acquires = claim.action() == Claim.Action.ACQUIRE;
            return Decision.nothing(acquires ? refusedAcquire(seen) : refused(seen));
        } else if (!claim.fence().isAbove(seen.fence())) {
            return Decision.nothing(new Reply.Stale(seen.fence()));
        } else if (isAhead(claim.fence(), seen)) {
            return Decision.nothing(new Reply.Ahead(present(seen)));
        }
        return new Decision(Reply.GRANTED, take(claim, keys, seen));
    }

    private Decision extend(Claim claim, Keys keys, WatchedState seen) {
        boolean longEnough = seen.left(form).compareTo(claim.ttl()) >= 0;
        return longEnough ? Decision.nothing(Reply.GRANTED) : new Decision(Reply.GRANTED, set(claim, keys, seen));
    }

    private Decision giveUp(Claim claim, Keys keys, WatchedState seen, boolean ours) {
        List<List<String>> writes = new ArrayList<>();
        if (ours) {
            writes.add(List.of("DEL", keys.lock(), keys.beside()));
        }
        FencingToken seal = claim.greatestFence().next();
        // A node that has accepted the greatest number of the attempt accepts only greater ones.
        boolean isSealed = ours && !claim.greatestFence().isAbove(seen.fence());
        if (!isSealed && seal.isAbove(seen.fence()) && !isAhead(seal, seen)) {
            writes.add(accept(keys, seal));
        }
        return new Decision(ours ? Reply.GRANTED : refused(seen), writes);
    }

    private List<List<String>> take(Claim claim, Keys keys, WatchedState seen) {
        List<List<String>> writes = new ArrayList<>(set(claim, keys, seen));
        writes.add(accept(keys, claim.greatestFence()));
        return writes;
    }

    private List<List<String>> set(Claim claim, Keys keys, WatchedState seen) {
        String value = form.value(claim, seen.now());
        String millis = Long.toString(form.keyMillis(claim, seen.now()));
        List<List<String>> writes = new ArrayList<>();
        writes.add(List.of("SET", keys.lock(), value, "PX", millis));
        if (form.isAnonymous()) {
            writes.add(List.of("SET", keys.beside(), WatchedState.beside(value, claim), "PX", millis));
        }
        return writes;
    }

    private static List<String> accept(Keys keys, FencingToken fence) {
        return List.of("SET", keys.fence(), fence.toString(), "PX", Long.toString(FENCE_LIFE.toMillis()));
    }

    private Reply refused(WatchedState seen) {
        return new Reply.Refused(seen.left(form), seen.fence(), 0);
    }

    private Reply refusedAcquire(WatchedState seen) {
        return new Reply.Refused(seen.left(form), seen.fence(), seen.now().micros(), mark(seen));
    }

    /** An anonymous key does not say who holds it: its value is a time that differs from node to node. */
    private String mark(WatchedState seen) {
        String value = seen.value();
        return value == null || form.isAnonymous() ? "" : Integer.toHexString(value.hashCode());
    }

    private static boolean isAhead(FencingToken fence, WatchedState seen) {
        return FenceLead.isExceededBy(fence, present(seen));
    }

    private static FencingToken present(WatchedState seen) {
        return new FencingToken(Math.max(seen.now().micros(), seen.fence().value()));
    }

    /** There is no quarantine to end. */
    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return CompletableFuture.completedFuture(
                new NodeStanding.Unknown("without scripts it keeps no quarantine; there is nothing to adopt"));
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
