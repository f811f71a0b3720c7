package io.holdfast.client;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.LockNode;
import io.holdfast.time.Time;
import io.holdfast.time.WhileUsed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Describes a client on the nodes while it holds locks or waits for them, so that others see who that is. Locks and
 * wait queues contain the id of the client, so no acquisition sends more for this.
 *
 * <p>Thread-safe.
 */
public final class ClientPresence {

    /** The holder of a lock that is held for a shorter time is gone before another client can look it up. */
    private static final Duration FIRST = Duration.ofMillis(100);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** Longer than two intervals: a node may miss one of the descriptions. */
    private static final Duration KEEP = Duration.ofMinutes(3);

    /** Distinguishes clients of one process that were given the same random numbers. */
    private static final AtomicLong COUNT = new AtomicLong();

    private static final int UNUSED_BITS = 24;
    private static final int MICROS_PER_MILLI = 1_000;

    private final String id;
    private final Optional<ClientDescription> description;
    private final List<LockNode> nodes;
    private final Time time;
    private final HolderLookup holders;

    /**
     * Creates an object that has described nothing.
     *
     * @param name what the client says about itself; empty: it writes nothing, and looks up no others
     */
    public ClientPresence(String id, String name, List<LockNode> nodes, Time time) {
        this.id = id;
        this.description = name.isEmpty()
                ? Optional.empty()
                : Optional.of(ClientDescription.ofThisProcess(
                        name, Instant.ofEpochMilli(time.now().wallMicros() / MICROS_PER_MILLI)));
        this.nodes = nodes;
        this.time = time;
        this.holders = new HolderLookup(nodes, time);
    }

    /**
     * Returns a new id of a client: 40 random bits and a number. The random part comes first, so that a simulation's
     * seed determines the order of ids.
     */
    public static String newId(RandomGenerator random) {
        return Long.toString(random.nextLong() >>> UNUSED_BITS, Character.MAX_RADIX) + "-" + COUNT.incrementAndGet();
    }

    /**
     * Returns a method that describes the client soon if it is still in use then, and as long as it is. It neither
     * blocks nor throws, and is called after each beginning of a use.
     *
     * @param inUse returns whether the client holds a lock or waits for one
     */
    Runnable during(BooleanSupplier inUse) {
        return description.isEmpty() ? () -> {} : new WhileUsed(time, FIRST, INTERVAL, inUse, this::describe)::begin;
    }

    /** Returns a refusal with the holder of the lock, after a long wait; see {@link HolderLookup#explained}. */
    <L> CompletableFuture<AcquireResult.Refused<L>> explained(String resource, AcquireResult.Refused<L> refused) {
        return description.isPresent()
                ? holders.explained(resource, refused)
                : CompletableFuture.completedFuture(refused);
    }

    /** Returns the description of the holder of a lock; empty if it is not known. The future never fails. */
    CompletableFuture<Optional<ClientDescription>> holder(String resource) {
        return description.isPresent() ? holders.holder(resource) : CompletableFuture.completedFuture(Optional.empty());
    }

    /** A node that fails must not prevent the others, nor the next time. A logger takes long to find, so only then. */
    private void describeOn(LockNode node) {
        try {
            node.admin().describe(id, description.orElseThrow(), KEEP);
            if (node instanceof PreviousNode) {
                node.admin().describe(PreviousNode.waiter(id), description.orElseThrow(), KEEP);
            }
        } catch (RuntimeException | Error failure) {
            System.getLogger("io.holdfast.Holdfast")
                    .log(
                            System.Logger.Level.DEBUG,
                            "The name of this client was not written on " + node.name(),
                            failure);
        }
    }

    private void describe() {
        nodes.forEach(this::describeOn);
    }
}
