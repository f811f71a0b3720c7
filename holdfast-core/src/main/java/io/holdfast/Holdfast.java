package io.holdfast;

import io.holdfast.event.Loss;
import io.holdfast.event.LossReason;
import io.holdfast.node.LockNode;
import io.holdfast.node.Owner;
import io.holdfast.quorum.Acquisition;
import io.holdfast.quorum.Hold;
import io.holdfast.quorum.Proposals;
import io.holdfast.quorum.Quorum;
import io.holdfast.quorum.Renewal;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The way in: the nodes that vote, and the locks on them. Thread-safe; one per process is enough.
 *
 * <p>Closing it releases what is still held and tells the holders ({@link LossReason#CLOSED}).
 */
public final class Holdfast implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final Quorum quorum;
    private final Runnable onClose;
    private final Proposals proposals = new Proposals();
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> endingsOfWaits = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Holdfast(List<LockNode> nodes, Time time, RandomGenerator random, Runnable onClose) {
        SecureRandom secure = new SecureRandom();
        this.quorum = new Quorum(nodes, time, () -> Owner.fresh(secure), random);
        this.onClose = onClose;
        warnOfEvenNumber(nodes.size());
    }

    /**
     * Connects to independent masters, each of them a vote: one, or better three or five.
     *
     * <p>Waits at most 2 s for the connections. A node that cannot be reached is tried again in the background, and counts as
     * failed until it can.
     *
     * @param uris such as {@code redis://host:6379} or {@code rediss://user:password@host:6380}
     * @throws IllegalArgumentException if there is no address, one cannot be understood, or one stands there twice
     * @throws IllegalStateException if no Redis client is on the class path: add {@code holdfast-lettuce}
     */
    public static Holdfast connect(String... uris) {
        return connect(List.of(uris));
    }

    /** The same as {@link #connect(String...)}. */
    public static Holdfast connect(List<String> uris) {
        SystemTime time = new SystemTime();
        try {
            return new Holdfast(Addresses.connect(uris, CONNECT_TIMEOUT, time), time, new Random(), time::close);
        } catch (RuntimeException e) {
            time.close();
            throw e;
        }
    }

    /**
     * Locks on nodes that you have made yourself, in a time that you control; for tests and for other kinds of node.
     * Closing it closes the nodes.
     *
     * @param random for delays; must be thread-safe unless one thread does everything
     */
    public static Holdfast over(List<? extends LockNode> nodes, Time time, RandomGenerator random) {
        return new Holdfast(Addresses.requireDistinct(List.copyOf(nodes)), time, random, () -> {});
    }

    /** A lock with the default options. */
    public DistributedLock lock(String resource) {
        return lock(resource, LockOptions.DEFAULT);
    }

    /**
     * A lock.
     *
     * @param resource the name, 1 to 512 characters without control characters and without {@code :holdfast:}; the key on
     *     the nodes is called the same
     * @throws IllegalArgumentException if the name is none
     */
    public DistributedLock lock(String resource, LockOptions options) {
        return new DistributedLock(this, Resources.require(resource), options);
    }

    Time time() {
        return quorum.time();
    }

    CompletableFuture<Acquisition.Result> start(String resource, LockOptions options) {
        requireOpen();
        CompletableFuture<Acquisition.Result> acquisition =
                Acquisition.start(quorum, proposals, resource, options.terms(), options.patience());
        Runnable ending = () -> acquisition.completeExceptionally(closedFailure());
        endingsOfWaits.add(ending);
        acquisition.whenComplete((result, failure) -> endingsOfWaits.remove(ending));
        if (closed) {
            ending.run();
        }
        return acquisition;
    }

    /** Ends an acquisition whose caller has gone; what it was granted meanwhile is released. */
    void abandon(CompletableFuture<Acquisition.Result> acquisition, LockOptions options) {
        if (!acquisition.cancel(true)) {
            acquisition.thenAccept(result -> {
                if (result instanceof Acquisition.Grant grant) {
                    quorum.release(grant.claim(), grant.round(), options.nodeTimeout());
                }
            });
        }
    }

    Lease hold(Acquisition.Grant grant, LockOptions options) {
        Hold hold = Hold.of(quorum, grant, options.terms(), options.holdLimit());
        Lease lease = new Lease(hold, time());
        holds.add(hold);
        hold.ended().thenRun(() -> holds.remove(hold));
        hold.lost().thenAccept(this::log);
        if (options.renewal()) {
            Renewal.start(quorum, hold);
        }
        if (closed) {
            closeHold(hold);
        }
        return lease;
    }

    private void log(Loss loss) {
        System.Logger.Level level =
                loss.reason() == LossReason.CLOSED ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
        time().execute(() -> LOG.log(level, loss.toString()));
    }

    private CompletableFuture<?> closeHold(Hold hold) {
        hold.lose(LossReason.CLOSED);
        return hold.release();
    }

    private void requireOpen() {
        if (closed) {
            throw closedFailure();
        }
    }

    private static IllegalStateException closedFailure() {
        return new IllegalStateException("This Holdfast is closed; connect a new one");
    }

    private static void warnOfEvenNumber(int nodes) {
        if (nodes % 2 == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "An even number of nodes: {0} survive no more failures than {1} do; use {1} or {2}",
                    nodes,
                    nodes - 1,
                    nodes + 1);
        }
    }

    /**
     * Ends all waits, releases all leases, waits for the answers at most for the node timeout, and closes the nodes. Has no
     * effect the second time.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endingsOfWaits.forEach(Runnable::run);
        CompletableFuture<?>[] releases = holds.stream().map(this::closeHold).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(releases).join();
        quorum.nodes().forEach(LockNode::close);
        onClose.run();
    }
}
