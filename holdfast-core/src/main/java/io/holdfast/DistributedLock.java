package io.holdfast;

import io.holdfast.node.Access;
import io.holdfast.node.LockNode;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Result;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a lock: a resource and how it is waited for and held. It holds nothing itself; each acquire gives a
 * {@link Lease} of its own. Cheap, immutable, thread-safe; need not be kept or closed.
 */
public final class DistributedLock {

    private final Holdfast holdfast;
    private final String resource;
    private final LockOptions options;
    private final Access access;

    DistributedLock(Holdfast holdfast, String resource, LockOptions options, Access access) {
        this.holdfast = holdfast;
        this.resource = resource;
        this.options = options;
        this.access = access;
    }

    /** What is locked. It is also the name of the key on every node. */
    public String resource() {
        return resource;
    }

    public LockOptions options() {
        return options;
    }

    /** Returns the clocks and threads of the client, for what is built on its locks. */
    public Time time() {
        return holdfast.time();
    }

    /**
     * The same lock, to be held together with all others who hold it shared, and with nobody who holds it alone: the reader's side of a
     * read-write lock. Nobody gets a share while somebody who wants the lock alone has waited for longer, as far as the nodes
     * can {@linkplain LockNode#wakes tell} clients to come. A share has a fencing token of its own, greater than those of all leases
     * that were granted before.
     */
    public DistributedLock shared() {
        return new DistributedLock(holdfast, resource, options, Access.SHARED);
    }

    /**
     * Waits for the lock, for as long as the options say.
     *
     * @throws LockTimeoutException if another held the lock until the wait was over
     * @throws QuorumUnreachableException if too few nodes answered until the wait was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire() throws InterruptedException {
        return leaseOf(await(options));
    }

    /**
     * Waits for the lock at most this long; makes at least one round. Everything else is as with {@link #acquire()}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: it does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    public Lease acquire(Duration waitLimit) throws InterruptedException {
        return leaseOf(await(options.withWaitLimit(waitLimit)));
    }

    /**
     * Takes the lock if it is free, without waiting for a holder. Blocks for one round, at most for the node timeout. Where several
     * clients asked at the same moment and shared the votes, it asks again after random delays, up to ten times: so one of them gets
     * the lock. If {@link LockOptions#unreachableLimit} was set, it also waits that long for nodes that do not answer, and for the
     * end of a quarantine.
     *
     * @return the lease, or empty if another holds the lock, or if the votes were shared eleven times
     * @throws QuorumUnreachableException if too few nodes answered
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire() throws InterruptedException {
        Result result = await(options.withWaitLimit(Duration.ZERO));
        boolean held = result instanceof Result.Refusal refusal && refusal.isHeld();
        return held ? Optional.empty() : Optional.of(leaseOf(result));
    }

    private Result await(LockOptions with) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before '" + resource + "' was asked for");
        }
        CompletableFuture<Result> acquisition = holdfast.start(resource, with, access);
        try {
            Result result = Joining.get(acquisition);
            while (result instanceof Result.Called called) {
                acquisition = holdfast.take(called, with);
                result = Joining.get(acquisition);
            }
            return result;
        } catch (InterruptedException e) {
            holdfast.abandon(acquisition);
            throw e;
        }
    }

    /** The same as {@link #acquireAsync(LockOptions)} with the options of this lock. */
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(options);
    }

    /**
     * Waits for the lock without blocking. The future completes on a thread that may block, with the lease or with what
     * {@link #acquire()} would throw. Cancelling it, or completing it in any other way, ends the wait; nothing is held then.
     *
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public CompletableFuture<Lease> acquireAsync(LockOptions asyncOptions) {
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        follow(holdfast.start(resource, asyncOptions, access), lease, asyncOptions)
                .whenComplete((granted, failure) -> deliver(granted, failure, lease));
        return lease;
    }

    /**
     * Ends the acquisition when the caller's future ends, however it is completed. A grant that has come already has one owner:
     * {@link #deliver}, which releases it.
     */
    private CompletableFuture<Lease> follow(
            CompletableFuture<Result> acquisition, CompletableFuture<Lease> wanted, LockOptions with) {
        wanted.whenComplete((granted, failure) -> acquisition.cancel(true));
        return acquisition.thenComposeAsync(
                result -> result instanceof Result.Called called
                        ? follow(holdfast.take(called, with), wanted, with)
                        : CompletableFuture.completedFuture(leaseOf(result)),
                holdfast.time()::execute);
    }

    /** Gives the caller what came; a lease that is no longer wanted is released. */
    private static void deliver(@Nullable Lease granted, @Nullable Throwable failure, CompletableFuture<Lease> lease) {
        if (granted == null) {
            lease.completeExceptionally(failure instanceof CompletionException e ? e.getCause() : failure);
        } else if (!lease.complete(granted)) {
            granted.releaseAsync();
        }
    }

    Lease resume(LeaseHandle handle) throws InterruptedException {
        Result result = Joining.get(holdfast.resume(handle.claim(options.lease()), options));
        if (result instanceof Result.Refusal refusal
                && refusal.outcome().tally().isDenied()) {
            throw new LeaseLostException(
                    resource,
                    "The lease on '" + resource + "' has ended; it is not held by this owner any more ["
                            + Messages.join(refusal.outcome().votes()) + "]");
        }
        if (result instanceof Result.Grant grant) {
            return holdfast.resumed(grant, options);
        }
        throw failure((Result.Refusal) result);
    }

    private Lease leaseOf(Result result) {
        if (result instanceof Result.Held held) {
            return holdfast.lease(held.hold());
        }
        throw failure((Result.Refusal) result);
    }

    private HoldfastException failure(Result.Refusal refusal) {
        Outcome outcome = refusal.outcome();
        return refusal.isHeld()
                ? new LockTimeoutException(resource, outcome, refusal.waited())
                : new QuorumUnreachableException(resource, outcome, refusal.waited());
    }

    @Override
    public String toString() {
        return "DistributedLock[" + resource + (access == Access.SHARED ? ", shared]" : "]");
    }
}
