package io.holdfast.locks;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.LockInternals;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A bound on the number of holders: a semaphore of numbered slots, each of which is a lock. It is therefore as safe as
 * a lock. (A count of permits on each of several nodes is not: two majorities of nodes can admit more holders than any
 * single node has seen.)
 *
 * <p>All clients must agree on the number of permits; a client that is given a greater number admits more. The lease
 * of a permit is the lease of its slot: {@code pool/1}, {@code pool/2} and so on, with a fencing token that grows for
 * each slot separately. An acquisition makes at least one round for each slot, unless one is free before.
 *
 * <p>Memory effects are those of a {@link DistributedLock}, for each slot separately: a holder of one slot need not
 * see what the holder of another slot does.
 *
 * <p>Immutable and thread-safe.
 */
public final class DistributedSemaphore implements Acquirable<Lease> {

    /** A waiter is queued for every slot. */
    private static final int MOST_PERMITS = 1_000;

    private final List<DistributedLock> slots;
    private final Acquirable<Lease> composed;

    private DistributedSemaphore(List<DistributedLock> slots) {
        this.slots = slots;
        this.composed = LockInternals.composed(slots.get(0), with -> new SlotSearch(slots, with).begin());
    }

    /**
     * Returns a semaphore with the default options. Does not ask the nodes.
     *
     * @param name the common part of the names of the slots
     * @param permits from 1 to 1000
     * @throws IllegalArgumentException if the number of permits is out of range, or if {@link Holdfast#lock(String)}
     *     rejects the name
     */
    public static DistributedSemaphore of(Holdfast holdfast, String name, int permits) {
        return of(holdfast, name, permits, LockOptions.DEFAULT);
    }

    /**
     * Returns a semaphore. Does not ask the nodes.
     *
     * @param name the common part of the names of the slots
     * @param permits from 1 to 1000
     * @param options of each slot
     * @throws IllegalArgumentException if the number of permits is out of range, or if {@link Holdfast#lock(String,
     *     LockOptions)} rejects the name or the options
     */
    public static DistributedSemaphore of(Holdfast holdfast, String name, int permits, LockOptions options) {
        Objects.requireNonNull(name, "name is null; give a name");
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("A semaphore has 1 to " + MOST_PERMITS + " permits, not " + permits
                    + "; for more, split what it guards");
        }
        List<DistributedLock> slots = IntStream.rangeClosed(1, permits)
                .mapToObj(slot -> LockInternals.onLibraryThreads(holdfast.lock(name + "/" + slot, options)))
                .toList();
        return new DistributedSemaphore(slots);
    }

    /** Returns the number of clients that may hold a permit at a time, from 1 to 1000. */
    public int permits() {
        return slots.size();
    }

    @Override
    public LockOptions options() {
        return composed.options();
    }

    /** {@inheritDoc} An exception describes one slot. */
    @Override
    public Lease acquire(LockOptions with) throws InterruptedException {
        return composed.acquire(with);
    }

    /** {@inheritDoc} */
    @Override
    public CompletableFuture<Lease> acquireAsync(LockOptions with) {
        return composed.acquireAsync(with);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + slots.get(0).resource() + " to " + slots.size() + "]";
    }
}
