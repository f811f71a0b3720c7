package io.holdfast.redis;

import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeTerms;
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
final class Reception {

    /** A server that hangs from the beginning costs bounded memory. */
    static final int MAX_WAITING = 10_000;

    /** How soon a node stops voting whose server has become a replica, or evicts keys now. */
    private static final Duration PATROL_INTERVAL = Duration.ofSeconds(5);

    private final RedisPort port;
    private final NodeTerms terms;
    private final Neighbours neighbours;
    private final boolean shard;
    private final Time time;
    private final Asking asking;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile @Nullable Acquaintance acquaintance;

    /** Why the last server that said what it is got no claim; null: it was fit. Also while its connection is replaced. */
    private volatile @Nullable String refusal;

    /** How a command is sent that belongs to no claim. */
    interface Asking {
        CompletionStage<Answer> ask(RedisSession session, List<String> command);
    }

    Reception(RedisPort port, NodeTerms terms, Neighbours neighbours, boolean shard, Time time) {
        this(port, terms, neighbours, shard, time, RedisSession::send);
    }

    /**
     * The gate to one server.
     *
     * @param shard whether it is a shard of a cluster that is a node in all its parts
     */
    Reception(RedisPort port, NodeTerms terms, Neighbours neighbours, boolean shard, Time time, Asking asking) {
        this.port = port;
        this.terms = terms;
        this.neighbours = neighbours;
        this.shard = shard;
        this.time = time;
        this.asking = asking;
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
                if (refusal != null) {
                    refusal = null;
                }
                return dealing.with(known, introduction.run());
            }
            // Asked again the next time: a replica is promoted, a setting is mended, a script ends.
            forget(known);
            refusal = introduction.objection();
            replaceLater(known, introduction);
            return CompletableFuture.completedFuture(otherwise.apply(new Answer.Lost(false, reason)));
        });
    }

    /** The condition of the node as its connection shows it. */
    NodeStatus status() {
        Outage outage = port.outage();
        if (outage != null) {
            return NodeStatus.unreachable(port.name(), time.now().surelySince(outage.since()), outage.cause());
        }
        String reason = refusal;
        return reason == null ? NodeStatus.voting(port.name()) : NodeStatus.refused(port.name(), reason);
    }

    /** Why a server that says this of itself may not be the node; or null. */
    @Nullable
    String objection(Map<String, String> info) {
        return Introduction.objection(info, info.getOrDefault("run_id", ""), port.name(), neighbours, shard);
    }

    /** The commands that the user of a session needs here. */
    List<String> uses() {
        return LeastRights.uses(terms.replicas() > 0, shard);
    }

    /** The server at the other end of the present connection, if anything has been asked over that. */
    @Nullable
    Acquaintance present() {
        Acquaintance known = acquaintance;
        return known != null && known.session() == port.session() ? known : null;
    }

    /** Returns the answer; replaces the connection if that leads to a server that cannot be the node. */
    Answer noticing(RedisSession session, Answer answer) {
        if (!shard && answer instanceof Answer.ServerError error && ServerErrors.isElsewhere(error.message())) {
            port.replace(session, ServerErrors.explain(error.message()));
        }
        return answer;
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
        Acquaintance fresh = new Acquaintance(session, introduction(session).toCompletableFuture());
        acquaintance = fresh;
        fresh.introduction().thenAccept(introduction -> {
            if (introduction.reasonAgainst() == null) {
                patrol(fresh, introduction);
            }
        });
        return fresh;
    }

    private CompletionStage<Introduction> introduction(RedisSession session) {
        return asking.ask(session, List.of("INFO"))
                .thenApply(answer -> Introduction.of(answer, port.name(), terms, neighbours, shard));
    }

    private void patrol(Acquaintance known, Introduction before) {
        time.schedule(PATROL_INTERVAL, () -> {
            if (known.equals(present())) {
                introduction(known.session()).thenAccept(now -> compare(known, before, now));
            }
        });
    }

    private void compare(Acquaintance known, Introduction before, Introduction now) {
        String reason = now.reasonAgainst();
        if (now.equals(before) || now.unknown() != null) {
            patrol(known, before);
        } else {
            port.replace(known.session(), reason == null ? "its server was a replica for a time" : reason);
        }
    }

    /** The address may lead to another server by now: a Sentinel knows a new master, or a name has moved. */
    private void replaceLater(Acquaintance known, Introduction introduction) {
        String objection = introduction.objection();
        if (objection != null && replacing.compareAndSet(false, true)) {
            time.schedule(PATROL_INTERVAL, () -> {
                replacing.set(false);
                Acquaintance present = present();
                if (present == null || present.isUnfit()) {
                    port.replace(known.session(), objection);
                }
            });
        }
    }
}
