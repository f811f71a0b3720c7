package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A set of locks that are held together: all of them or none. They are taken one after another in the order of their names, in whatever
 * order they are given. Two clients that request overlapping sets therefore do not wait for each other in a circle.
 *
 * <p>The wait limit covers the whole set. An {@link LockOptions#unreachableLimit} that was set counts for each lock. Memory effects are
 * those of a {@link DistributedLock}, for each of the locks.
 *
 * <p>Immutable and thread-safe. {@link Locks#multiLock(Holdfast, String...)} creates one.
 */
public final class MultiLock {

    private final List<DistributedLock> locks;
    private final LockOptions options;

    private MultiLock(List<DistributedLock> locks, LockOptions options) {
        this.locks = locks;
        this.options = options;
    }

    /**
     * Returns a set of locks with the default options. Does not ask the nodes.
     *
     * @param resources their names, at least one; a name that is given twice counts once
     * @throws IllegalArgumentException if there is no name, or if a name is not valid
     */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources) {
        return of(holdfast, resources, LockOptions.DEFAULT);
    }

    /**
     * Returns a set of locks. Does not ask the nodes.
     *
     * @param resources their names, at least one; a name that is given twice counts once
     * @param options of each lock, except that the wait limit covers the whole set
     * @throws IllegalArgumentException if there is no name, if a name is not valid, or if the lease is longer than {@link
     *     HoldfastOptions#maxLease}
     */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources, LockOptions options) {
        if (resources.isEmpty()) {
            throw new IllegalArgumentException("A set of locks needs at least one name");
        }
        List<DistributedLock> locks = new TreeSet<>(resources)
                .stream()
                        .map(resource -> holdfast.lock(resource, options).onOwnThreads())
                        .toList();
        return new MultiLock(locks, options);
    }

    /** Returns the names of the locks, in the order in which they are taken. */
    public List<String> resources() {
        return locks.stream().map(DistributedLock::resource).toList();
    }

    /**
     * Waits for all the locks, at most for {@link LockOptions#waitLimit} in all.
     *
     * @throws LockTimeoutException if another holder had one of them until the wait limit was over; it names that one. Nothing is held
     *     then
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; nothing is held then
     * @throws LeaseLostException if a lease was lost while the next lock was waited for; nothing is held then
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public MultiLease acquire() throws InterruptedException {
        return acquire(options);
    }

    /**
     * Waits for all the locks, at most this long in all; makes at least one round for the first lock.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws LockTimeoutException if another holder had one of them until the wait limit was over; nothing is held then
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; nothing is held then
     * @throws LeaseLostException if a lease was lost while the next lock was waited for; nothing is held then
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public MultiLease acquire(Duration waitLimit) throws InterruptedException {
        return acquire(AcquisitionForms.waiting(options, waitLimit));
    }

    /**
     * Waits for all the locks with these options instead of the options of this set.
     *
     * @throws LockTimeoutException if another holder had one of them until the wait limit was over; nothing is held then
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; nothing is held then
     * @throws LeaseLostException if a lease was lost while the next lock was waited for; nothing is held then
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public MultiLease acquire(LockOptions with) throws InterruptedException {
        return locks.get(0).await(() -> request(with), MultiLease::releaseAsync);
    }

    /**
     * Takes all the locks if all are free, without waiting for a holder. Blocks for one round for each lock.
     *
     * @return the leases, or empty if another holder has one of the locks; nothing is held then
     * @throws QuorumUnreachableException if too few nodes answered; nothing is held then
     * @throws LeaseLostException if a lease was lost while the next lock was requested; nothing is held then
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<MultiLease> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /**
     * Waits for all the locks, at most this long in all. Contention is a result here, not an exception.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: as {@link #tryAcquire()}
     * @return the leases, or empty if another holder had one of the locks until the wait limit was over; nothing is held then
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; nothing is held then
     * @throws LeaseLostException if a lease was lost while the next lock was waited for; nothing is held then
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<MultiLease> tryAcquire(Duration waitLimit) throws InterruptedException {
        LockOptions with = AcquisitionForms.waiting(options, waitLimit);
        return locks.get(0)
                .await(
                        () -> AcquisitionForms.unlessHeld(request(with), MultiLease::releaseAsync),
                        leases -> leases.ifPresent(MultiLease::releaseAsync));
    }

    /**
     * Waits for all the locks without blocking, at most for {@link LockOptions#waitLimit} in all; see {@link
     * #acquireAsync(LockOptions)}.
     *
     * @return a future of the leases, or of the failure that {@link #acquire()} would throw
     */
    public CompletableFuture<MultiLease> acquireAsync() {
        return acquireAsync(options);
    }

    /**
     * Waits for all the locks without blocking, at most this long in all; see {@link #acquireAsync(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<MultiLease> acquireAsync(Duration waitLimit) {
        return acquireAsync(AcquisitionForms.waiting(options, waitLimit));
    }

    /**
     * Waits for all the locks without blocking, with these options instead of the options of this set. The future completes on a thread
     * that may block, with the leases, with {@link LockTimeoutException}, {@link QuorumUnreachableException}, {@link
     * LeaseLostException}, or, if the {@code Holdfast} is closed, {@link IllegalStateException}. Cancelling it, or completing it in
     * any other way, ends the wait; nothing is held then.
     *
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public CompletableFuture<MultiLease> acquireAsync(LockOptions with) {
        return AcquisitionForms.delivered(request(with), locks.get(0).callbackExecutor(), MultiLease::releaseAsync);
    }

    private CompletableFuture<MultiLease> request(LockOptions with) {
        Acquisition acquisition = new Acquisition(with);
        acquisition.follow(locks.get(0).acquireAsync(with));
        return acquisition.all;
    }

    /**
     * Takes all the locks if all are free, without blocking and without waiting for a holder; see {@link #tryAcquire()}.
     *
     * @return a future of the leases, or of empty if another holder has one of the locks; it fails with {@link
     *     QuorumUnreachableException} if too few nodes answered, and with {@link LeaseLostException} if a lease was lost meanwhile
     */
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    /**
     * Waits for all the locks at most this long in all, without blocking; see {@link #tryAcquire(Duration)}. Cancelling the future, or
     * completing it in any other way, ends the wait; nothing is held then.
     *
     * @return a future of the leases, or of empty if another holder had one of the locks until the wait limit was over; it fails with
     *     {@link QuorumUnreachableException} if too few nodes answered, and with {@link LeaseLostException} if a lease was lost
     *     meanwhile
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration waitLimit) {
        return AcquisitionForms.unlessHeld(acquireAsync(waitLimit), MultiLease::releaseAsync);
    }

    /** One acquisition of all the locks, one after another. */
    private final class Acquisition {

        private final LockOptions with;
        private final Moment begun = locks.get(0).time().now();
        private final List<Lease> taken = new ArrayList<>();
        private final CompletableFuture<MultiLease> all = new CompletableFuture<>();

        Acquisition(LockOptions with) {
            this.with = with;
        }

        void follow(CompletableFuture<Lease> next) {
            all.whenComplete((leases, failure) -> next.cancel(true));
            next.whenComplete((lease, failure) -> {
                if (lease == null) {
                    fail(failure);
                    return;
                }
                taken.add(lease);
                if (taken.size() < locks.size()) {
                    follow(requestNext());
                } else {
                    finish();
                }
            });
        }

        private CompletableFuture<Lease> requestNext() {
            DistributedLock next = locks.get(taken.size());
            Duration left = with.waitLimit().minus(next.time().now().surelySince(begun));
            try {
                return next.acquireAsync(AcquisitionForms.waiting(with, left.isNegative() ? Duration.ZERO : left));
            } catch (RuntimeException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        /** A lease that was granted early may have been lost during the wait for the others. */
        private void finish() {
            try {
                taken.forEach(LeaseChecks::require);
                if (!all.complete(new MultiLease(taken))) {
                    releaseTaken();
                }
            } catch (RuntimeException lost) {
                fail(lost);
            }
        }

        private void fail(Throwable failure) {
            releaseTaken();
            all.completeExceptionally(failure);
        }

        private void releaseTaken() {
            taken.forEach(Lease::releaseAsync);
        }
    }

    @Override
    public String toString() {
        return "MultiLock" + resources();
    }
}
