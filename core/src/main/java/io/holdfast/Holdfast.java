package io.holdfast;

import io.holdfast.admin.LockAdmin;
import io.holdfast.client.CallbackRunner;
import io.holdfast.client.ClientLog;
import io.holdfast.client.ClientPresence;
import io.holdfast.client.EventListeners;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockEvents;
import io.holdfast.client.NodeProviders;
import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.ResourceName;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Voters;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A client of the nodes that vote, and the source of the locks on them. One per process is enough.
 *
 * <p>Closing it releases all leases of this client and notifies their holders ({@link LossReason#CLOSED}). Semaphores,
 * read-write locks, re-entrant locks, sets of locks and elections are in the package {@code io.holdfast.locks}.
 *
 * <p>Thread-safe.
 */
public final class Holdfast implements AutoCloseable {

    private final ClientNodes nodes;
    private final HoldfastOptions options;
    private final Time time;
    private final ClientLog log;
    private final EventListeners listeners;
    private final LockClient client;
    private final Runnable onClose;

    private Holdfast(
            ClientNodes unguarded, HoldfastOptions options, Time time, RandomGenerator random, Runnable onClose) {
        SecureRandom secure = new SecureRandom();
        String id = ClientPresence.newId(random);
        this.options = options;
        this.time = time;
        this.log = new ClientLog(time);
        CallbackRunner callbacks = new CallbackRunner(options.callbackExecutor().orElse(null), time);
        this.listeners = new EventListeners(callbacks, log);
        this.nodes = unguarded.guarded(options, Owner.fresh(secure).token(), time, log::quarantined);
        Voters voters = nodes.voters();
        log.watch(voters);
        this.client = new LockClient(
                new NodeGroup(voters, time, id, () -> Owner.fresh(secure, id), random),
                nodes.longestLease(options),
                callbacks,
                new LockEvents(listeners, log, time),
                new ClientPresence(id, options.name().orElse(""), voters.nodes(), time));
        this.onClose = onClose;
        ClientLog.started(nodes.present().size(), options.restarts() == RestartPolicy.UNSAFE_IMMEDIATE);
    }

    /**
     * Connects to independent masters, each of which is a vote: one, or better three or five.
     *
     * <p>Waits at most 2 s for the connections. A node that cannot be reached is tried again in the background, and
     * counts as failed until it is connected. With three nodes or more, a node that was restarted, or that was never
     * used before, does not vote for 66 s; see {@link HoldfastOptions#restarts()}.
     *
     * @param uris such as {@code redis://host:6379}, {@code rediss://user:password@host:6380} (TLS), {@code
     *     redis-sentinel://host:26379,host:26379#name} for a master that Sentinels monitor, or {@code
     *     redis-cluster://host:6379,host:6379} for a cluster
     * @throws IllegalArgumentException if there is no address, or if an address is not valid or is given twice
     * @throws IllegalStateException if no Redis client on the class path works: add {@code holdfast-lettuce} or {@code
     *     holdfast-jedis}
     */
    public static Holdfast connect(String... uris) {
        return connect(List.of(uris));
    }

    /**
     * Connects to independent masters with the default options, as {@link #connect(String...)} does.
     *
     * @throws IllegalArgumentException if there is no address, or if an address is not valid or is given twice
     * @throws IllegalStateException if no Redis client on the class path works
     */
    public static Holdfast connect(List<String> uris) {
        return connect(uris, HoldfastOptions.DEFAULT);
    }

    /**
     * Connects to independent masters with options on which all clients of these nodes agree; see {@link
     * #connect(String...)}.
     *
     * @throws IllegalArgumentException if there is no address, or if an address is not valid or is given twice
     * @throws IllegalStateException if no Redis client on the class path works
     */
    public static Holdfast connect(List<String> uris, HoldfastOptions options) {
        return connect(uris, options, NodeProviders::find);
    }

    /**
     * Connects with one Redis client, such as {@code new JedisNodes()}, where several are on the class path, or where
     * the class path is not to be searched; see {@link #connect(String...)}.
     *
     * @throws IllegalArgumentException if there is no address, if an address is not valid or is given twice, or if the
     *     Redis client does not support its scheme
     */
    public static Holdfast connect(List<String> uris, HoldfastOptions options, NodeProvider client) {
        return connect(uris, options, () -> NodeProviders.of(client));
    }

    private static Holdfast connect(List<String> uris, HoldfastOptions options, Supplier<NodeProviders> clients) {
        SystemTime time = new SystemTime();
        try {
            return new Holdfast(
                    ClientNodes.connect(uris, options, clients, time),
                    options.name().isPresent()
                            ? options
                            : options.toBuilder()
                                    .name(ClientDescription.defaultName())
                                    .build(),
                    time,
                    new Random(),
                    time::close);
        } catch (RuntimeException | Error e) {
            time.close();
            throw e;
        }
    }

    /**
     * Creates a client for tests: of nodes that the caller has created, in a time that the caller controls. It differs
     * from {@link #over} in two defaults: nodes vote at once after a restart, and leases may be as long as {@link
     * LockOptions#MAX_LEASE}. Closing it closes the nodes.
     *
     * @param random for delays; must be thread-safe unless one thread does everything
     * @throws IllegalArgumentException if there is no node, or if two nodes have the same name
     */
    public static Holdfast forTesting(List<? extends LockNode> nodes, Time time, RandomGenerator random) {
        return over(
                nodes,
                HoldfastOptions.builder()
                        .restarts(RestartPolicy.DURABLE)
                        .maxLease(LockOptions.MAX_LEASE)
                        .build(),
                time,
                random);
    }

    /**
     * Creates a client of nodes that the caller has created, such as nodes of another kind. Closing it closes the
     * nodes.
     *
     * @param options on which all clients of these nodes agree
     * @param random for delays; must be thread-safe unless one thread does everything
     * @throws IllegalArgumentException if there is no node, or if two nodes have the same name
     */
    public static Holdfast over(
            List<? extends LockNode> nodes, HoldfastOptions options, Time time, RandomGenerator random) {
        return over(nodes, List.of(), options, time, random);
    }

    /**
     * Creates a client of the nodes of the present and of the previous set, which the caller has created; see {@link
     * HoldfastOptionsBuilder#previousNodes}, whose addresses are not used. Closing the client closes all nodes.
     *
     * @param options on which all clients of these nodes agree, with {@link HoldfastOptions#previousMaxLease}
     * @param random for delays; must be thread-safe unless one thread does everything
     * @throws IllegalArgumentException if there is no present node, or if two nodes have the same name
     */
    public static Holdfast over(
            List<? extends LockNode> nodes,
            List<? extends LockNode> previousNodes,
            HoldfastOptions options,
            Time time,
            RandomGenerator random) {
        return new Holdfast(ClientNodes.of(nodes, previousNodes), options, time, random, () -> {});
    }

    /**
     * Returns a lock with the default options. Does not ask the nodes.
     *
     * @throws IllegalArgumentException if the name is not valid, see {@link #lock(String, LockOptions)}; or if {@link
     *     HoldfastOptions#maxLease} is shorter than the default lease of 30 s: then give options with a shorter lease
     */
    public DistributedLock lock(String resource) {
        return lock(resource, LockOptions.DEFAULT);
    }

    /**
     * Returns a lock. Does not ask the nodes.
     *
     * <p>Other clients of Redlock contend for the same lock by its key on the nodes. The key is the name itself if that
     * has at most 512 characters, no control characters and no {@code :holdfast:}, and does not begin with {@code
     * holdfast:}. Otherwise it is {@code holdfast:name:} and the name with escapes, or {@code holdfast:digest:}, a
     * digest and the beginning of the name; {@link ResourceName} has the rule, and the command shows the key.
     *
     * @param resource the name of the lock, any text that is not empty. Different names are different locks
     * @throws IllegalArgumentException if the name is empty, has half of a character, as a cut text may have, or is the
     *     key of another name; or if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public DistributedLock lock(String resource, LockOptions lockOptions) {
        String key = ResourceName.key(resource);
        return new DistributedLock(client, resource, key, checked(lockOptions));
    }

    /**
     * Takes over a lease that another process, or this one, has {@linkplain Lease#detach detached}. The lease keeps its
     * owner and its fencing token, and has these options from now on. Blocks for one round, at most for the node
     * timeout.
     *
     * @throws LeaseLostException if the lock is not held by that owner any more
     * @throws QuorumUnreachableException if too few nodes voted; the caller can try again while the lease lasts
     * @throws InterruptedException if the thread is interrupted; the lock is held as before
     * @throws IllegalArgumentException if the lease of the options is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if this client is closed
     */
    public Lease attach(DetachedLease detached, LockOptions lockOptions) throws InterruptedException {
        return OptionChecks.given("handle", detached).attach(client, checked(lockOptions));
    }

    private LockOptions checked(LockOptions lockOptions) {
        client.requireLease(OptionChecks.given("lockOptions", lockOptions).lease());
        return lockOptions;
    }

    /**
     * Returns the view of an administrator: which locks are held, also on nodes of the previous set, and whether the
     * present nodes are fit to vote.
     */
    public LockAdmin admin() {
        return nodes.admin(options, time, client::verify);
    }

    /** Returns the longest lease that this client may request: of two sets of nodes, the shorter one. */
    public Duration longestLease() {
        return client.maxLease();
    }

    /** Returns the options on which all clients of these nodes agree. */
    public HoldfastOptions options() {
        return options;
    }

    /**
     * Returns the condition of each node as this client knows it at this moment, in the order in which the nodes were
     * given. Asks no node. A quarantine or a lost connection is known within five seconds, and as soon as a lock is
     * requested.
     */
    public List<NodeStatus> nodes() {
        return nodes.present().stream().map(LockNode::status).toList();
    }

    /** Returns the condition of each node of the previous set, as {@link #nodes()} does; empty if there is none. */
    public List<NodeStatus> previousNodes() {
        return nodes.previous().stream().map(LockNode::status).toList();
    }

    /**
     * Registers a listener for the events of this client's locks, from the requests on that begin after the
     * registration. The condition of nodes is no event; see {@link #nodes()}.
     *
     * <p>The listener runs on the {@linkplain HoldfastOptions#callbackExecutor callback executor}, with one event at a
     * time, in the order in which the events were reported; those of one lock are in the order of that lock. It may
     * block. If it falls 10,000 events behind, it loses events until it has caught up, which is logged. An exception
     * from it is logged and has no other effect. While there is no listener, no events are created.
     *
     * @return the registration; closing it unregisters the listener. A closed client returns a closed one, whose
     *     listener receives nothing
     */
    public Registration onEvent(Consumer<? super LockEvent> listener) {
        OptionChecks.given("listener", listener);
        return client.isClosed() ? () -> {} : listeners.add(listener);
    }

    /**
     * Ends all waits, releases all leases, and closes the nodes. It waits for the replies of the nodes to the releases,
     * at most 250 ms for each release and 1 s in all, and then for the end of the Redis client's connections and
     * threads, at most 1 s. A second call has no effect.
     */
    @Override
    public void close() {
        client.close(() -> {
            log.close();
            onClose.run();
        });
    }
}
