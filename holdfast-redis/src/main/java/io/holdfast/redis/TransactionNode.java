package io.holdfast.redis;

import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Operations;
import io.holdfast.node.Reply;
import io.holdfast.node.Watch;
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
final class TransactionNode implements LockNode {

    /** How often a claim looks again at keys that others change all the time. */
    private static final int ATTEMPTS = 10;

    /** A fence that has gone is followed by a greater one as long as no client's clock is a day slow. */
    private static final Duration FENCE_LIFE = Duration.ofDays(1);

    private final RedisPort port;
    private final NodeTerms terms;
    private final KeyForm form;
    private final Reception reception;
    private final Turns turns = new Turns();
    /** A session that is known to carry transactions. */
    private volatile @Nullable RedisSession transactional;

    TransactionNode(RedisPort port, NodeTerms terms, Neighbours neighbours, KeyForm form, Time time) {
        this.port = port;
        this.terms = terms;
        this.form = form;
        this.reception = new Reception(
                port, terms, neighbours, false, time, (session, command) -> turns.next(() -> session.send(command)));
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public NodeStatus status() {
        return reception.status();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        if (terms.guarded()) {
            return refuse("without scripts it keeps no quarantine; declare the nodes durable, or use scripts");
        } else if (claim.isShared()) {
            return refuse("without scripts it shares no lock");
        } else if (turns.waiting() > Reception.MAX_WAITING) {
            return refuse(Reception.MAX_WAITING + " claims wait for this server");
        }
        return reception.introduced(
                (server, run) -> turns.next(() -> attempt(server.session(), claim, ATTEMPTS)), Replies::failure);
    }

    private static CompletionStage<Reply> refuse(String cause) {
        return CompletableFuture.completedFuture(Reply.notSent(cause));
    }

    private CompletionStage<Reply> attempt(RedisSession session, Claim claim, int attempts) {
        Keys keys = Keys.of(claim.resource());
        List<CompletionStage<Answer>> answers = List.of(
                session.send(List.of("WATCH", keys.lock(), keys.fence(), keys.beside())),
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.beside())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("TIME")));
        return Answers.all(answers).thenCompose(read -> {
            Answer failure = Answers.firstFailure(read);
            if (failure != null) {
                return CompletableFuture.completedFuture(notChanged(session, failure));
            }
            Snapshot seen =
                    Snapshot.of(Answers.list(read.get(1)), Answers.number(read.get(2)), Answers.micros(read.get(3)));
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
    private Reply notChanged(RedisSession session, Answer failure) {
        reception.noticing(session, failure);
        if (failure instanceof Answer.ServerError error && error.message().startsWith("NOPERM")) {
            return Reply.notSent("NOPERM: the user may not do this; without scripts it needs "
                    + LeastRights.withoutScripts() + ", and the key patterns of the locks");
        }
        return Reply.notSent(Replies.failure(failure).cause());
    }

    /** Granted: the writes are done. Null: somebody has changed a key meanwhile, and nothing is done. */
    private CompletionStage<@Nullable Reply> write(RedisSession session, List<List<String>> writes) {
        if (session == transactional) {
            return finish(session.send(List.of("MULTI")), session, writes);
        }
        // Where MULTI is refused, what follows it would be done at once.
        return session.send(List.of("MULTI")).thenCompose(begun -> {
            if (!(begun instanceof Answer.Value)) {
                return CompletableFuture.completedFuture(notChanged(session, begun));
            }
            transactional = session;
            return finish(CompletableFuture.completedFuture(begun), session, writes);
        });
    }

    private CompletionStage<@Nullable Reply> finish(
            CompletionStage<Answer> begun, RedisSession session, List<List<String>> writes) {
        List<CompletionStage<Answer>> answers = new ArrayList<>();
        answers.add(begun);
        writes.forEach(write -> answers.add(session.send(write)));
        answers.add(session.send(List.of("EXEC")));
        return Answers.all(answers).thenApply(done -> {
            Answer exec = done.get(done.size() - 1);
            if (exec instanceof Answer.Lost) {
                return Replies.failure(exec);
            }
            Answer failure = Answers.firstFailure(done);
            if (failure != null) {
                return notChanged(session, failure);
            }
            return exec.equals(new Answer.Value(null)) ? null : Reply.GRANTED;
        });
    }

    private record Decision(Reply reply, List<List<String>> writes) {

        static Decision nothing(Reply reply) {
            return new Decision(reply, List.of());
        }
    }

    private Decision decide(Claim claim, Keys keys, Snapshot seen) {
        boolean ours = seen.isOf(claim, form);
        return switch (claim.action()) {
            case ACQUIRE -> ours ? Decision.nothing(Reply.GRANTED) : acquire(claim, keys, seen);
            case EXTEND -> ours ? extend(claim, keys, seen) : Decision.nothing(refused(seen));
            case REPAIR -> ours ? extend(claim, keys, seen) : acquire(claim, keys, seen);
            case RELEASE, STEP_BACK -> giveUp(claim, keys, seen, ours);
        };
    }

    /** A claim or a repair of an owner who does not hold the lock. */
    private Decision acquire(Claim claim, Keys keys, Snapshot seen) {
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

    private Decision extend(Claim claim, Keys keys, Snapshot seen) {
        boolean longEnough = seen.left(form).compareTo(claim.ttl()) >= 0;
        return longEnough ? Decision.nothing(Reply.GRANTED) : new Decision(Reply.GRANTED, set(claim, keys, seen));
    }

    private Decision giveUp(Claim claim, Keys keys, Snapshot seen, boolean ours) {
        List<List<String>> writes = new ArrayList<>();
        if (ours) {
            writes.add(List.of("DEL", keys.lock(), keys.beside()));
        }
        FencingToken seal = claim.top().next();
        // A node that has accepted the greatest number of the attempt accepts only greater ones.
        boolean isSealed = ours && !claim.top().isAbove(seen.fence());
        if (!isSealed && seal.isAbove(seen.fence()) && !isAhead(seal, seen)) {
            writes.add(accept(keys, seal));
        }
        return new Decision(ours ? Reply.GRANTED : refused(seen), writes);
    }

    private List<List<String>> take(Claim claim, Keys keys, Snapshot seen) {
        List<List<String>> writes = new ArrayList<>(set(claim, keys, seen));
        writes.add(accept(keys, claim.top()));
        return writes;
    }

    private List<List<String>> set(Claim claim, Keys keys, Snapshot seen) {
        String value = form.value(claim, seen.now());
        String millis = Long.toString(form.keyMillis(claim, seen.now()));
        List<List<String>> writes = new ArrayList<>();
        writes.add(List.of("SET", keys.lock(), value, "PX", millis));
        if (form.isAnonymous()) {
            writes.add(List.of("SET", keys.beside(), Snapshot.beside(value, claim), "PX", millis));
        }
        return writes;
    }

    private static List<String> accept(Keys keys, FencingToken fence) {
        return List.of("SET", keys.fence(), fence.toString(), "PX", Long.toString(FENCE_LIFE.toMillis()));
    }

    private Reply refused(Snapshot seen) {
        return new Reply.Refused(seen.left(form), seen.fence(), 0);
    }

    private Reply refusedAcquire(Snapshot seen) {
        return new Reply.Refused(seen.left(form), seen.fence(), seen.now().micros(), mark(seen));
    }

    /** An anonymous key does not say who holds it: its value is a time that differs from node to node. */
    private String mark(Snapshot seen) {
        String value = seen.value();
        return value == null || form.isAnonymous() ? "" : Integer.toHexString(value.hashCode());
    }

    private static boolean isAhead(FencingToken fence, Snapshot seen) {
        return Reply.Ahead.isAhead(fence, present(seen));
    }

    private static FencingToken present(Snapshot seen) {
        return new FencingToken(Math.max(seen.now().micros(), seen.fence().value()));
    }

    /** There is no quarantine to end. */
    @Override
    public CompletionStage<Membership> watch(Watch watch) {
        return CompletableFuture.completedFuture(
                new Membership.Unknown("without scripts it keeps no quarantine; there is nothing to adopt"));
    }

    @Override
    public Operations operations() {
        return new RedisOperations(port, terms, reception);
    }

    @Override
    public void close() {
        port.close();
    }
}
