package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A re-entrant lock whose owner the caller names: a request, a task, an actor, anything that moves from one thread to another. An owner
 * that holds the lock acquires it again at once. The lock is released when the owner has released it as often as it acquired it.
 *
 * <p>Owners are compared by {@code equals}, and only within one object of this class: keep it in a field, since two of them share no
 * state. An owner does one thing at a time: while it waits, every further acquisition by it fails.
 *
 * <p>An acquisition by an owner that holds the lock returns its present lease at once, whatever wait limit or options it is given.
 * Memory effects are those of a {@link DistributedLock}; an acquisition and a release that change only the depth have none.
 *
 * <p>Thread-safe. {@link Locks#ownedLock} creates one.
 *
 * @see ReentrantDistributedLock for owners that are threads
 */
public final class OwnedLock implements ReentrantOwner {

    private final DistributedLock lock;
    private final OwnerTable owners;

    private OwnedLock(DistributedLock lock) {
        this.lock = lock;
        this.owners = new OwnerTable(lock.resource());
    }

    /** Returns a lock that has no owner yet in this object. Does not ask the nodes. */
    public static OwnedLock of(DistributedLock lock) {
        return new OwnedLock(lock);
    }

    /**
     * Waits for the lock, at most for {@link LockOptions#waitLimit}, unless the owner holds it.
     *
     * @return the owner's lease; {@linkplain #release release} the lock instead of closing the lease
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalStateException if the owner waits for the lock already, or if the {@code Holdfast} is closed
     */
    public Lease acquire(Object owner) throws InterruptedException {
        return acquire(owner, lock.options());
    }

    /**
     * Waits for the lock at most this long, unless the owner holds it; makes at least one round.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @return the owner's lease; {@linkplain #release release} the lock instead of closing the lease
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the owner waits for the lock already, or if the {@code Holdfast} is closed
     */
    @Override
    public Lease acquire(Object owner, Duration waitLimit) throws InterruptedException {
        return acquire(owner, AcquisitionForms.waiting(lock.options(), waitLimit));
    }

    /**
     * Waits for the lock with these options instead of the options of the lock, unless the owner holds it.
     *
     * @return the owner's lease; {@linkplain #release release} the lock instead of closing the lease
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the owner waits for the lock already, or if the {@code Holdfast} is closed
     */
    public Lease acquire(Object owner, LockOptions with) throws InterruptedException {
        return enter(owner, () -> Optional.of(lock.acquire(with))).orElseThrow();
    }

    /**
     * Takes the lock if it is free or the owner holds it, without waiting for a holder. Blocks as {@link
     * DistributedLock#tryAcquire()} does.
     *
     * @return the owner's lease, or empty if another holder has the lock
     * @throws QuorumUnreachableException if too few nodes answered
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalStateException if the owner waits for the lock already, or if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire(Object owner) throws InterruptedException {
        return tryAcquire(owner, Duration.ZERO);
    }

    /**
     * Waits for the lock at most this long, unless the owner holds it; makes at least one round. Contention is a result here, not an
     * exception.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: as {@link #tryAcquire(Object)}
     * @return the owner's lease, or empty if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the owner waits for the lock already, or if the {@code Holdfast} is closed
     */
    @Override
    public Optional<Lease> tryAcquire(Object owner, Duration waitLimit) throws InterruptedException {
        // A holder does not wait, but its argument is checked as well.
        LockOptions with = AcquisitionForms.waiting(lock.options(), waitLimit);
        return enter(owner, () -> lock.tryAcquire(with.waitLimit()));
    }

    private interface Request {
        Optional<Lease> send() throws InterruptedException;
    }

    private Optional<Lease> enter(Object owner, Request request) throws InterruptedException {
        OwnerTable.Entry next = new OwnerTable.Entry(null);
        Lease held = owners.enter(owner, next);
        if (held != null) {
            return Optional.of(held);
        }
        Lease lease = null;
        try {
            lease = request.send().orElse(null);
        } finally {
            owners.settle(owner, next, lease);
        }
        return Optional.ofNullable(lease);
    }

    /**
     * Waits for the lock without blocking, at most for {@link LockOptions#waitLimit}; see {@link #acquireAsync(Object, LockOptions)}.
     *
     * @throws LeaseLostException if the owner held the lock and has lost it; this and the next are thrown by the call, not by the future
     * @throws IllegalStateException if the owner waits for the lock already
     */
    public CompletableFuture<Lease> acquireAsync(Object owner) {
        return acquireAsync(owner, lock.options());
    }

    /**
     * Waits for the lock without blocking, at most this long; see {@link #acquireAsync(Object, LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the owner waits for the lock already
     */
    public CompletableFuture<Lease> acquireAsync(Object owner, Duration waitLimit) {
        return acquireAsync(owner, AcquisitionForms.waiting(lock.options(), waitLimit));
    }

    /**
     * Waits for the lock without blocking, with these options instead of the options of the lock. If the owner holds the lock, the future
     * is complete at once. Otherwise it completes on a thread that may block, with the lease, with {@link LockTimeoutException},
     * {@link QuorumUnreachableException}, or, if the {@code Holdfast} is closed, {@link IllegalStateException}. Cancelling it, or
     * completing it in any other way, ends the wait; the owner does not hold the lock then, and may request it again. The exceptions
     * below are thrown by this call, not by the future.
     *
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the owner waits for the lock already
     */
    public CompletableFuture<Lease> acquireAsync(Object owner, LockOptions with) {
        return enterAsync(owner, with, lease -> lease, CompletableFuture::completeExceptionally);
    }

    /**
     * Takes the lock if it is free or the owner holds it, without blocking and without waiting for a holder; see {@link
     * #tryAcquireAsync(Object, Duration)}.
     *
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws IllegalStateException if the owner waits for the lock already
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Object owner) {
        return tryAcquireAsync(owner, Duration.ZERO);
    }

    /**
     * Waits for the lock at most this long, without blocking; see {@link #tryAcquire(Object, Duration)}. Cancelling the future, or
     * completing it in any other way, ends the wait; the owner does not hold the lock then, and may request it again.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @return a future of the lease, or of empty if another holder had the lock until the wait limit was over; it fails with {@link
     *     QuorumUnreachableException} if too few nodes answered
     * @throws LeaseLostException if the owner held the lock and has lost it
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the owner waits for the lock already
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Object owner, Duration waitLimit) {
        return enterAsync(owner, AcquisitionForms.waiting(lock.options(), waitLimit), Optional::of, OwnedLock::refuse);
    }

    private static void refuse(CompletableFuture<Optional<Lease>> wanted, Throwable failure) {
        if (failure instanceof LockTimeoutException) {
            wanted.complete(Optional.empty());
        } else {
            wanted.completeExceptionally(failure);
        }
    }

    /**
     * Requests the lock for an owner that does not hold it.
     *
     * @param form the result for a lease
     * @param refuse completes the caller's future for a request that failed
     */
    private <T> CompletableFuture<T> enterAsync(
            Object owner,
            LockOptions with,
            Function<Lease, T> form,
            BiConsumer<CompletableFuture<T>, Throwable> refuse) {
        CompletableFuture<T> wanted = new CompletableFuture<>();
        OwnerTable.Entry entry = new OwnerTable.Entry(wanted);
        Lease held = owners.enter(owner, entry);
        if (held != null) {
            return CompletableFuture.completedFuture(form.apply(held));
        }
        CompletableFuture<Lease> request = send(owner, entry, with);
        wanted.whenComplete((result, failure) -> request.cancel(true));
        request.whenComplete((lease, failure) -> {
            owners.settle(owner, entry, lease);
            if (lease == null) {
                refuse.accept(wanted, failure);
            } else if (!wanted.complete(form.apply(lease))) {
                owners.settle(owner, entry, null);
                lease.releaseAsync();
            }
        });
        return wanted;
    }

    private CompletableFuture<Lease> send(Object owner, OwnerTable.Entry entry, LockOptions with) {
        try {
            return lock.acquireAsync(with);
        } catch (RuntimeException refused) {
            owners.settle(owner, entry, null);
            throw refused;
        }
    }

    /**
     * Reduces the depth of the owner by one, and releases the lock when the depth is zero. The last release waits for the nodes as {@link
     * Lease#release()} does.
     *
     * @throws IllegalMonitorStateException if this owner does not hold the lock; nothing is released then
     * @throws LeaseLostException at the last release, if the lease was lost before: another holder may have been inside as well
     */
    @Override
    public void release(Object owner) {
        Lease last = owners.leave(owner);
        if (last != null) {
            LeaseChecks.release(last);
        }
    }

    /** Returns the lease of an owner that holds the lock, even if that lease is lost; empty if the owner does not hold the lock. */
    @Override
    public Optional<Lease> lease(Object owner) {
        return Optional.ofNullable(owners.lease(owner));
    }

    /** Returns {@code true} if the owner holds the lock at this moment and its lease is valid. No round trip. */
    public boolean isHeld(Object owner) {
        return lease(owner).filter(Lease::isValid).isPresent();
    }

    /** Returns the number of releases by the owner after which the lock is released; 0 if the owner does not hold the lock. */
    @Override
    public int depth(Object owner) {
        return owners.depth(owner);
    }

    /** Returns the owners, for a lock that moves a lease from one mode to the other. */
    OwnerTable owners() {
        return owners;
    }

    @Override
    public String toString() {
        return "OwnedLock[" + lock.resource() + "]";
    }
}
