package io.holdfast.redis;

import io.holdfast.node.NodeTerms;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets nothing reach a server before it has said what it is, and nothing at all if it may not be a node. Thread-safe. */
final class Reception {

    /** A server that hangs from the beginning costs bounded memory. */
    static final int MAX_WAITING = 10_000;

    private final RedisPort port;
    private final NodeTerms terms;
    private final Neighbours neighbours;
    private final boolean shard;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Acquaintance acquaintance;

    Reception(RedisPort port, NodeTerms terms, Neighbours neighbours) {
        this(port, terms, neighbours, false);
    }

    /** The same, for a shard of a cluster that is a node in all its parts. */
    Reception(RedisPort port, NodeTerms terms, Neighbours neighbours, boolean shard) {
        this.shard = shard;
        this.port = port;
        this.terms = terms;
        this.neighbours = neighbours;
    }

    /** Something to do with a server that may be a node. */
    interface Dealing<T> {
        CompletionStage<T> with(Acquaintance server, String run);
    }

    /** Deals with the server at the other end of the present connection, or says why not. */
    <T> CompletionStage<T> introduced(Dealing<T> dealing, Function<Answer.Lost, T> otherwise) {
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

    /** Why a server that says this of itself may not be the node; or null. */
    @Nullable
    String objection(Map<String, String> info) {
        return Introduction.objection(info, info.getOrDefault("run_id", ""), port.name(), neighbours, shard);
    }

    /** The server at the other end of the present connection, if anything has been asked over that. */
    @Nullable
    Acquaintance present() {
        Acquaintance known = acquaintance;
        return known != null && known.session() == port.session() ? known : null;
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
                session,
                Introduction.of(session, port.name(), terms, neighbours, shard).toCompletableFuture());
        acquaintance = fresh;
        return fresh;
    }
}
