package io.holdfast;

import io.holdfast.event.Loss;
import io.holdfast.event.LossReason;
import io.holdfast.event.Quarantine;
import io.holdfast.node.Access;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.Owner;
import io.holdfast.quorum.Contenders;
import io.holdfast.quorum.Hold;
import io.holdfast.quorum.Holds;
import io.holdfast.quorum.Proposals;
import io.holdfast.quorum.Quorum;
import io.holdfast.quorum.Result;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The way in: the nodes that vote, and the locks on them. Thread-safe; one per process is enough.
 *
 * <p>Closing it releases what is still held and tells the holders ({@link LossReason#CLOSED}).
 */
public final class Holdfast implements AutoCloseable {

    /** How long closing waits at most for the answers of slow nodes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Quorum quorum;
    private final HoldfastOptions options;
    private final QuarantineNews quarantines;
    private final Runnable onClose;
    private final Contenders contenders;
    private final Holds holds;
    private final OpenWaits waits = new OpenWaits();

    private Holdfast(
            List<LockNode> nodes, HoldfastOptions options, Time time, RandomGenerator random, Runnable onClose) {
        SecureRandom secure = new SecureRandom();
        this.options = options;
        this.quarantines = new QuarantineNews(time);
        this.quorum = new Quorum(watched(nodes, time, secure), time, () -> Owner.fresh(secure), random);
        this.contenders = new Contenders(quorum, new Proposals());
        this.holds = new Holds(quorum, contenders, this::log);
        this.onClose = onClose;
        StartWarnings.log(nodes.size(), options);
    }

    private List<LockNode> watched(List<LockNode> nodes, Time time, SecureRandom secure) {
        if (!options.isGuarded(nodes.size())) {
            return nodes;
        }
        String watcher = Owner.fresh(secure).token();
        return Quorum.guarded(
                nodes, options.fleet(nodes.size()), options.strictFences(), watcher, time, quarantines::tell);
    }

    /**
     * Connects to independent masters, each of them a vote: one, or better three or five.
     *
     * <p>Waits at most 2 s for the connections. A node that cannot be reached is tried again in the background, and counts as
     * failed until it can. With three nodes or more, one that was restarted, or never used before, does not vote for 66 s; see
     * {@link HoldfastOptions#restarts()}.
     *
     * @param uris such as {@code redis://host:6379}, {@code rediss://user:password@host:6380} (TLS) or, for a master that Sentinels watch
     *     over, {@code redis-sentinel://host:26379,host:26379#name}, or, for a cluster, {@code redis-cluster://host:6379,host:6379}
     * @throws IllegalArgumentException if there is no address, one cannot be understood, or one stands there twice
     * @throws IllegalStateException if no Redis client is on the class path: add {@code holdfast-lettuce} or {@code holdfast-jedis}
     */
    public static Holdfast connect(String... uris) {
        return connect(List.of(uris));
    }

    /** The same as {@link #connect(String...)}. */
    public static Holdfast connect(List<String> uris) {
        return connect(uris, HoldfastOptions.DEFAULT);
    }

    /** The same, with options that all clients of these nodes share. */
    public static Holdfast connect(List<String> uris, HoldfastOptions options) {
        return connect(uris, options, Addresses::clients);
    }

    /**
     * The same with this Redis client, such as {@code new JedisNodes()}, and no other: where several are on the class path, or where
     * they are not to be looked for.
     *
     * @throws IllegalArgumentException as above, or if the client does not know a scheme
     */
    public static Holdfast connect(List<String> uris, HoldfastOptions options, NodeProvider client) {
        return connect(uris, options, () -> List.of(client));
    }

    private static Holdfast connect(List<String> uris, HoldfastOptions options, Supplier<List<NodeProvider>> clients) {
        SystemTime time = new SystemTime();
        try {
            return new Holdfast(
                    Addresses.connect(uris, clients, options.nodeTerms(uris.size()), time),
                    options,
                    time,
                    new Random(),
                    time::close);
        } catch (RuntimeException e) {
            time.close();
            throw e;
        }
    }

    /**
     * Locks on nodes that you have made yourself, in a time that you control; for tests and for other kinds of node. They
     * vote at once after a restart, and leases may be as long as {@link LockOptions#MAX_LEASE}. Closing it closes the nodes.
     *
     * @param random for delays; must be thread-safe unless one thread does everything
     */
    public static Holdfast over(List<? extends LockNode> nodes, Time time, RandomGenerator random) {
        return over(
                nodes,
                HoldfastOptions.DEFAULT.withRestarts(Restarts.DURABLE).withMaxLease(LockOptions.MAX_LEASE),
                time,
                random);
    }

    /** The same, with options that all clients of these nodes share. */
    public static Holdfast over(
            List<? extends LockNode> nodes, HoldfastOptions options, Time time, RandomGenerator random) {
        return new Holdfast(Addresses.requireDistinct(List.copyOf(nodes)), options, time, random, () -> {});
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
     * @throws IllegalArgumentException if the name is none, or the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public DistributedLock lock(String resource, LockOptions lockOptions) {
        options.requireLease(lockOptions.lease());
        return new DistributedLock(this, Resources.require(resource), lockOptions, Access.EXCLUSIVE);
    }

    /**
     * Goes on with a lease that was {@linkplain Lease#detach handed on}, perhaps by another process: the same owner and fencing token,
     * with these options from now on. Blocks for one round.
     *
     * @throws LeaseLostException if the lock is not held by that owner any more
     * @throws QuorumUnreachableException if too few nodes answered; it can be tried again while the lease lasts
     * @throws InterruptedException if the thread is interrupted; the lock is held as before
     */
    public Lease resume(LeaseHandle handle, LockOptions lockOptions) throws InterruptedException {
        return lock(handle.resource(), lockOptions).resume(handle);
    }

    CompletableFuture<Result> resume(Claim granted, LockOptions with) {
        return waits.areClosed()
                ? CompletableFuture.failedFuture(OpenWaits.failure())
                : contenders.resume(granted, with.terms(granted.access()));
    }

    /** For those who look after the locks. */
    public Operator operator() {
        return new Operator(quorum, options);
    }

    /**
     * The condition of each node as this client knows it at this moment, in the order in which they were given; asks no node. A quarantine
     * or a lost connection is known within five seconds, and as soon as a lock is asked for.
     */
    public List<NodeStatus> nodes() {
        return quorum.nodes().stream().map(LockNode::status).toList();
    }

    /**
     * Calls back when a node begins its quarantine, and when it votes again; at once for each node that is in quarantine now. On a thread
     * that may block.
     */
    public void onQuarantine(Consumer<Quarantine> callback) {
        quarantines.add(callback);
        nodes().stream()
                .filter(node -> node.state() == NodeStatus.State.QUARANTINED)
                .map(node -> new Quarantine(node.name(), node.duration()))
                .forEach(underWay -> time().execute(() -> callback.accept(underWay)));
    }

    /** The clocks and timers that it goes by. */
    public Time time() {
        return quorum.time();
    }

    /** Begins an acquisition. Every path to one leads through here, so no lease is longer than the quarantine allows for. */
    CompletableFuture<Result> start(String resource, LockOptions with, Access access) {
        options.requireLease(with.lease());
        return waits.begin(() -> holding(contenders.acquire(resource, with.terms(access), with.waitLimits()), with));
    }

    /** Claims a lock that was offered to the caller; see {@link Contenders#take}. */
    CompletableFuture<Result> take(Result.Called called, LockOptions with) {
        return waits.begin(() -> holding(contenders.take(called), with));
    }

    /**
     * Makes a hold of a grant as soon as it comes. While a thread of the caller is on its way to it, the lock has an owner that
     * renews it, and that {@link #close} releases.
     */
    private CompletableFuture<Result> holding(CompletableFuture<Result> acquisition, LockOptions with) {
        CompletableFuture<Result> wanted = new CompletableFuture<>();
        acquisition.whenComplete((result, failure) -> {
            if (failure != null) {
                wanted.completeExceptionally(failure);
                return;
            }
            Result held = result instanceof Result.Grant grant ? new Result.Held(begin(grant, with)) : result;
            if (!wanted.complete(held)) {
                giveBack(held);
            }
        });
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        return wanted;
    }

    /** Ends an acquisition whose caller has gone; what it was granted meanwhile is released. */
    void abandon(CompletableFuture<Result> acquisition) {
        if (!acquisition.cancel(true)) {
            acquisition.thenAccept(this::giveBack);
        }
    }

    private void giveBack(Result unwanted) {
        if (unwanted instanceof Result.Held held) {
            held.hold().release();
        } else if (unwanted instanceof Result.Called called) {
            contenders.decline(called);
        }
    }

    private Hold begin(Result.Grant grant, LockOptions with) {
        return holds.begin(grant, with.holdLimit(), with.renewal());
    }

    Lease lease(Hold hold) {
        return new Lease(hold, time(), options);
    }

    Lease resumed(Result.Grant grant, LockOptions with) {
        return lease(begin(grant, with));
    }

    private void log(Loss loss) {
        Level level = loss.reason() == LossReason.CLOSED ? Level.DEBUG : Level.WARNING;
        time().execute(() -> Log.get().log(level, loss.toString()));
    }

    /**
     * Ends all waits, releases all leases, takes back what is under way, waits for the nodes' answers to that, at most 250 ms
     * for each release and 1 s in all, and closes the nodes. Has no effect the second time.
     */
    @Override
    public void close() {
        if (!waits.close()) {
            return;
        }
        holds.close();
        contenders.close();
        Joining.await(quorum.settled(), CLOSE_LIMIT);
        quorum.nodes().forEach(LockNode::close);
        onClose.run();
    }
}
