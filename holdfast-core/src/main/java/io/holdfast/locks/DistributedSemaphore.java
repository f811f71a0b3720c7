package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * A bound on the number of holders: a semaphore of numbered slots, each of which is a lock. It is therefore as safe as a lock. (A count of
 * permits on each of several nodes is not: two majorities of nodes can admit more holders than any single node has seen.)
 *
 * <p>All clients must agree on the number of permits; a client that is given a greater number admits more. The lease of a permit is the
 * lease of its slot: {@code pool/1}, {@code pool/2} and so on, with a fencing token that grows for each slot separately.
 *
 * <p>Memory effects are those of a {@link DistributedLock}, for each slot separately: a holder of one slot need not see what the holder
 * of another slot does.
 *
 * <p>Immutable and thread-safe. {@link Locks#semaphore(Holdfast, String, int)} creates one.
 */
public final class DistributedSemaphore {

    /** A waiter is queued for every slot. */
    private static final int MOST_PERMITS = 1_000;

    private final List<DistributedLock> slots;
    private final LockOptions options;
    private final Executor callbacks;

    private DistributedSemaphore(List<DistributedLock> slots, LockOptions options, Executor callbacks) {
        this.slots = slots;
        this.options = options;
        this.callbacks = callbacks;
    }

    /**
     * Returns a semaphore with the default options. Does not ask the nodes.
     *
     * @param name the common part of the names of the slots
     * @param permits from 1 to 1000
     * @throws IllegalArgumentException if the number of permits is out of range, or if the name is not valid
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
     * @throws IllegalArgumentException if the number of permits is out of range, if the name is not valid, or if the lease is longer
     *     than {@link HoldfastOptions#maxLease}
     */
    public static DistributedSemaphore of(Holdfast holdfast, String name, int permits, LockOptions options) {
        Objects.requireNonNull(name, "name");
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("A semaphore has 1 to " + MOST_PERMITS + " permits, not " + permits
                    + "; for more, split what it guards");
        }
        List<DistributedLock> slots = IntStream.rangeClosed(1, permits)
                .mapToObj(slot -> holdfast.lock(name + "/" + slot, options).onOwnThreads())
                .toList();
        return new DistributedSemaphore(slots, options, slots.get(0).callbackExecutor());
    }

    /** Returns the number of clients that may hold a permit at a time, from 1 to 1000. */
    public int permits() {
        return slots.size();
    }

    /**
     * Waits for a permit, at most for {@link LockOptions#waitLimit}. Closing the lease returns the permit.
     *
     * @throws LockTimeoutException if all permits were held until the wait limit was over; it describes one slot
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire() throws InterruptedException {
        return acquire(options);
    }

    /**
     * Waits for a permit at most this long; makes at least one round for each slot.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws LockTimeoutException if all permits were held until the wait limit was over; it describes one slot
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire(Duration waitLimit) throws InterruptedException {
        return acquire(AcquisitionForms.waiting(options, waitLimit));
    }

    /**
     * Waits for a permit with these options instead of the options of this semaphore.
     *
     * @throws LockTimeoutException if all permits were held until the wait limit was over; it describes one slot
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire(LockOptions with) throws InterruptedException {
        return slots.get(0).await(() -> search(with), Lease::releaseAsync);
    }

    /**
     * Takes a permit if one is free, without waiting for a holder. Blocks for one round for each slot at most.
     *
     * @return the lease, or empty if all permits are held
     * @throws QuorumUnreachableException if too few nodes answered
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /**
     * Waits for a permit at most this long; makes at least one round for each slot. Contention is a result here, not an exception.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: as {@link #tryAcquire()}
     * @return the lease, or empty if all permits were held until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire(Duration waitLimit) throws InterruptedException {
        LockOptions with = AcquisitionForms.waiting(options, waitLimit);
        return slots.get(0)
                .await(
                        () -> AcquisitionForms.unlessHeld(search(with), Lease::releaseAsync),
                        lease -> lease.ifPresent(Lease::releaseAsync));
    }

    /**
     * Waits for a permit without blocking, at most for {@link LockOptions#waitLimit}; see {@link #acquireAsync(LockOptions)}.
     *
     * @return a future of the lease, or of the failure that {@link #acquire()} would throw
     */
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(options);
    }

    /**
     * Waits for a permit without blocking, at most this long; see {@link #acquireAsync(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<Lease> acquireAsync(Duration waitLimit) {
        return acquireAsync(AcquisitionForms.waiting(options, waitLimit));
    }

    /**
     * Waits for a permit without blocking, with these options instead of the options of this semaphore. The future completes on a thread
     * that may block, with the lease, with {@link LockTimeoutException}, {@link QuorumUnreachableException}, or, if the {@code
     * Holdfast} is closed, {@link IllegalStateException}. Cancelling it, or completing it in any other way, ends the wait; nothing is
     * held then.
     *
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public CompletableFuture<Lease> acquireAsync(LockOptions with) {
        return AcquisitionForms.delivered(search(with), callbacks, Lease::releaseAsync);
    }

    private CompletableFuture<Lease> search(LockOptions with) {
        return new SlotSearch(slots, with).begin();
    }

    /**
     * Takes a permit if one is free, without blocking and without waiting for a holder; see {@link #tryAcquire()}.
     *
     * @return a future of the lease, or of empty if all permits are held; it fails with {@link QuorumUnreachableException} if too few
     *     nodes answered
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    /**
     * Waits for a permit at most this long, without blocking; see {@link #tryAcquire(Duration)}. Cancelling the future, or completing it
     * in any other way, ends the wait; nothing is held then.
     *
     * @return a future of the lease, or of empty if all permits were held until the wait limit was over; it fails with {@link
     *     QuorumUnreachableException} if too few nodes answered
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration waitLimit) {
        return AcquisitionForms.unlessHeld(acquireAsync(waitLimit), Lease::releaseAsync);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + slots.get(0).resource() + " to " + slots.size() + "]";
    }
}
