package io.holdfast.redis;

import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Operations;
import io.holdfast.node.Reply;
import io.holdfast.node.Ticket;
import io.holdfast.node.Wake;
import io.holdfast.node.Watch;
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
public final class RedisLockNode implements LockNode {

    /** How many extensions share a command: few enough that others wait for it no longer than for a few of their own. */
    static final int MAX_TOGETHER = 100;

    /** Within the time that a node has to answer; what is asked after it on the same connection waits as well. */
    private static final String REPLICATION_MILLIS = "25";

    private final RedisPort port;
    private final NodeTerms terms;
    private final String fleet;
    private final Reception reception;
    private final Function<String, Keys> keysOf;
    private volatile Acquaintance.@Nullable Listener listener;

    /**
     * A node that owns the port: closing the node closes it.
     *
     * @param neighbours the same object for all nodes of a client
     */
    public RedisLockNode(RedisPort port, NodeTerms terms, Neighbours neighbours, Time time) {
        this(port, terms, new Reception(port, terms, neighbours, false, time), Keys::of);
    }

    /** A part of a node. */
    static RedisLockNode shard(RedisPort port, NodeTerms terms, Neighbours neighbours, Time time) {
        return new RedisLockNode(port, terms, new Reception(port, terms, neighbours, true, time), Keys::inCluster);
    }

    private RedisLockNode(RedisPort port, NodeTerms terms, Reception reception, Function<String, Keys> keys) {
        this.port = port;
        this.terms = terms;
        this.reception = reception;
        this.keysOf = keys;
        this.fleet = Replies.text(terms.fleet());
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
        return reception.introduced(
                (server, run) -> run(server, run, claim)
                        .thenApply(answer -> Replies.reply(reception.noticing(server.session(), answer), terms.fleet()))
                        .thenCompose(reply -> onReplicas(server.session(), claim, reply)),
                Replies::failure);
    }

    /** A lock that was granted counts once enough replicas have it. */
    private CompletionStage<Reply> onReplicas(RedisSession session, Claim claim, Reply reply) {
        boolean took = claim.action() == Claim.Action.ACQUIRE && reply instanceof Reply.Granted;
        if (!took || terms.replicas() == 0) {
            return CompletableFuture.completedFuture(reply);
        }
        return session.send(List.of("WAIT", Integer.toString(terms.replicas()), REPLICATION_MILLIS))
                .thenApply(answer -> answer instanceof Answer.Value ? onReplicas(answer, reply) : unasked(answer));
    }

    private Reply onReplicas(Answer answer, Reply reply) {
        return Answers.number(answer) >= terms.replicas()
                ? reply
                : Reply.unknown(Answers.number(answer) + " of " + terms.replicas() + " replicas have the lock after "
                        + REPLICATION_MILLIS + " ms");
    }

    private static Reply unasked(Answer answer) {
        boolean forbidden =
                answer instanceof Answer.ServerError error && error.message().startsWith("NOPERM");
        return Reply.unknown(
                forbidden
                        ? "the user may not WAIT for replicas, as withReplicas has it; grant "
                                + LeastRights.FOR_REPLICAS
                        : Replies.failure(answer).cause());
    }

    private CompletionStage<Answer> run(Acquaintance server, String run, Claim claim) {
        RedisSession session = server.session();
        Keys keys = keysOf.apply(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        String fence = claim.fence().toString();
        String top = claim.top().toString();
        Ticket ticket = claim.ticket() != null && server.tells(listener) ? claim.ticket() : null;
        String place = ticket == null ? "" : ticket.place();
        String number = ticket == null ? "" : Long.toString(ticket.number());
        String fair = ticket != null && ticket.fair() ? "1" : "0";
        String stays = claim.action() == Claim.Action.STEP_BACK ? "1" : "0";
        if (claim.isShared()) {
            return switch (claim.action()) {
                case ACQUIRE ->
                    Script.ACQUIRE_SHARE.onShares(
                            session, keys, owner, ttlMillis, fence, top, run, fleet, place, number);
                case EXTEND -> Script.EXTEND_SHARE.onShares(session, keys, owner, ttlMillis);
                case REPAIR -> Script.REPAIR_SHARE.onShares(session, keys, owner, ttlMillis, top, run, fleet);
                case RELEASE, STEP_BACK ->
                    Script.RELEASE_SHARE.onShares(session, keys, owner, top, place, number, stays);
            };
        }
        return switch (claim.action()) {
            case ACQUIRE ->
                Script.ACQUIRE.on(session, keys, owner, ttlMillis, fence, top, run, fleet, place, number, fair);
            case EXTEND -> Script.EXTEND.on(session, keys, owner, ttlMillis);
            case REPAIR -> Script.REPAIR.on(session, keys, owner, ttlMillis, top, run, fleet);
            case RELEASE, STEP_BACK -> Script.RELEASE.on(session, keys, owner, top, place, number, stays);
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
        CompletionStage<Extensions> extended =
                reception.introduced((server, run) -> Extensions.of(server.session(), together), Extensions::none);
        return IntStream.range(0, together.size())
                .mapToObj(i -> extended.thenCompose(all -> {
                    Reply reply = all.reply(i);
                    return reply == null ? ask(together.get(i)) : CompletableFuture.completedFuture(reply);
                }))
                .toList();
    }

    @Override
    public CompletionStage<Membership> watch(Watch watch) {
        return reception.introduced(
                (server, run) -> run(server.session(), run, watch)
                        .thenApply(answer ->
                                Replies.membership(reception.noticing(server.session(), answer), terms.fleet())),
                lost -> new Membership.Unknown(lost.cause()));
    }

    private CompletionStage<Answer> run(RedisSession session, String run, Watch watch) {
        FencingToken floor = watch.floor();
        return Script.WATCH.on(
                session,
                Keys.of("holdfast"),
                run,
                watch.watcher(),
                watch.next(),
                watch.takeOver() ? "1" : "0",
                Long.toString(watch.watched().toMillis()),
                Long.toString(watch.needed().toMillis()),
                floor == null ? "" : floor.toString(),
                Replies.text(watch.fleet()));
    }

    @Override
    public void listen(String inbox, Consumer<Wake> consumer) {
        listener = new Acquaintance.Listener(inbox, consumer);
    }

    @Override
    public boolean wakes() {
        Acquaintance known = reception.present();
        return known != null && known.tells(listener);
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
