package io.holdfast.redis;

import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Reply;
import io.holdfast.node.Ticket;
import io.holdfast.node.Wake;
import io.holdfast.node.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A vote on one Redis or Valkey master: claims become scripts, answers become replies. Each connection begins with the
 * server's introduction; a server that is no node gets no claim. Thread-safe.
 */
public final class RedisLockNode implements LockNode {

    /** A server that hangs from the beginning costs bounded memory. */
    static final int MAX_WAITING = 10_000;

    /** How many extensions share a command: few enough that others wait for it no longer than for a few of their own. */
    static final int MAX_TOGETHER = 100;

    private final RedisPort port;
    private final NodeTerms terms;
    private final Neighbours neighbours;
    private final String fleet;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Acquaintance acquaintance;
    private volatile Acquaintance.@Nullable Listener listener;

    /**
     * A node that owns the port: closing the node closes it.
     *
     * @param neighbours the same object for all nodes of a client
     */
    public RedisLockNode(RedisPort port, NodeTerms terms, Neighbours neighbours) {
        this.port = port;
        this.terms = terms;
        this.neighbours = neighbours;
        this.fleet = Replies.text(terms.fleet());
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return introduced(
                (server, run) -> run(server, run, claim).thenApply(answer -> Replies.reply(answer, terms.fleet())),
                Replies::failure);
    }

    private CompletionStage<Answer> run(Acquaintance server, String run, Claim claim) {
        RedisSession session = server.session();
        Keys keys = Keys.of(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        String fence = claim.fence().toString();
        String top = claim.top().toString();
        String seal = claim.top().next().toString();
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
                    Script.RELEASE_SHARE.onShares(session, keys, owner, seal, place, number, stays);
            };
        }
        return switch (claim.action()) {
            case ACQUIRE ->
                Script.ACQUIRE.on(session, keys, owner, ttlMillis, fence, top, run, fleet, place, number, fair);
            case EXTEND -> Script.EXTEND.on(session, keys, owner, ttlMillis);
            case REPAIR -> Script.REPAIR.on(session, keys, owner, ttlMillis, top, run, fleet);
            case RELEASE, STEP_BACK -> Script.RELEASE.on(session, keys, owner, seal, place, number, stays);
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
                introduced((server, run) -> Extensions.of(server.session(), together), Extensions::none);
        return IntStream.range(0, together.size())
                .mapToObj(i -> extended.thenCompose(all -> {
                    Reply reply = all.reply(i);
                    return reply == null ? ask(together.get(i)) : CompletableFuture.completedFuture(reply);
                }))
                .toList();
    }

    @Override
    public CompletionStage<Membership> watch(Watch watch) {
        return introduced(
                (server, run) -> run(server.session(), run, watch)
                        .thenApply(answer -> Replies.membership(answer, terms.fleet())),
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

    /** Something to do with a server that may be a node. */
    private interface Dealing<T> {
        CompletionStage<T> with(Acquaintance server, String run);
    }

    private <T> CompletionStage<T> introduced(Dealing<T> dealing, Function<Answer.Lost, T> otherwise) {
        Acquaintance known = acquaintance();
        boolean waits = !known.introduction().isDone();
        if (waits && waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(otherwise.apply(
                    new Answer.Lost(false, MAX_WAITING + " claims wait for the server to say what it is")));
        }
        return known.introduction().thenCompose(introduction -> {
            if (waits) {
                waiting.decrementAndGet();
            }
            String reason = introduction.reasonAgainst();
            if (reason == null) {
                return dealing.with(known, introduction.run());
            }
            // Asked again the next time: a replica is promoted, a setting is mended, a script ends.
            forget(known);
            return CompletableFuture.completedFuture(otherwise.apply(new Answer.Lost(false, reason)));
        });
    }

    private void forget(Acquaintance known) {
        if (known.equals(acquaintance)) {
            acquaintance = null;
        }
    }

    private Acquaintance acquaintance() {
        RedisSession session = port.session();
        Acquaintance known = acquaintance;
        if (known != null && known.session() == session) {
            return known;
        }
        Acquaintance fresh = new Acquaintance(
                session, Introduction.of(session, name(), terms, neighbours).toCompletableFuture());
        acquaintance = fresh;
        return fresh;
    }

    @Override
    public void listen(String inbox, Consumer<Wake> consumer) {
        listener = new Acquaintance.Listener(inbox, consumer);
    }

    @Override
    public boolean wakes() {
        Acquaintance known = acquaintance;
        return known != null && known.session() == port.session() && known.tells(listener);
    }

    @Override
    public void close() {
        port.close();
    }
}
