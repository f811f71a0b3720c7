package io.holdfast;

import io.holdfast.quorum.Acquisition;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The definition of a lock: a resource and how it is waited for and held. It holds nothing itself; each acquire gives a
 * {@link Lease} of its own. Cheap, immutable, thread-safe; need not be kept or closed.
 */
public final class DistributedLock {

    private final Holdfast holdfast;
    private final String resource;
    private final LockOptions options;

    DistributedLock(Holdfast holdfast, String resource, LockOptions options) {
        this.holdfast = holdfast;
        this.resource = resource;
        this.options = options;
    }

    /** What is locked. It is also the name of the key on every node. */
    public String resource() {
        return resource;
    }

    public LockOptions options() {
        return options;
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
        return Joining.get(acquire(options, Function.identity()));
    }

    /** The same as {@link #acquire()}, waiting at most this long; one round is always made. */
    public Lease acquire(Duration waitLimit) throws InterruptedException {
        return Joining.get(acquire(options.withWaitLimit(waitLimit), Function.identity()));
    }

    /**
     * Takes the lock if it is free, in one round and without waiting. Blocks at most for the node timeout.
     *
     * @return the lease, or empty if another holds the lock
     * @throws QuorumUnreachableException if too few nodes answered
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire() throws InterruptedException {
        try {
            return Optional.of(acquire(Duration.ZERO));
        } catch (LockTimeoutException held) {
            return Optional.empty();
        }
    }

    /** The same as {@link #acquireAsync(LockOptions)} with the options of this lock. */
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(options);
    }

    /**
     * Waits for the lock without blocking. The future completes on a thread that may block, with the lease or with what
     * {@link #acquire()} would throw. Cancelling it ends the wait; nothing is held then.
     */
    public CompletableFuture<Lease> acquireAsync(LockOptions asyncOptions) {
        return acquire(asyncOptions, future -> future.thenApplyAsync(Function.identity(), holdfast.time()::execute));
    }

    /** The future that the caller gets: a lease that it no longer wants when it comes is released. */
    private CompletableFuture<Lease> acquire(
            LockOptions with, Function<CompletableFuture<Lease>, CompletableFuture<Lease>> delivery) {
        CompletableFuture<Acquisition.Result> acquisition = holdfast.start(resource, with);
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        delivery.apply(acquisition.thenApply(result -> lease(result, with))).whenComplete((granted, failure) -> {
            if (failure != null) {
                lease.completeExceptionally(failure instanceof CompletionException e ? e.getCause() : failure);
            } else if (!lease.complete(granted)) {
                granted.releaseAsync();
            }
        });
        lease.whenComplete((done, failure) -> {
            if (lease.isCancelled()) {
                acquisition.cancel(true);
            }
        });
        return lease;
    }

    private Lease lease(Acquisition.Result result, LockOptions with) {
        if (result instanceof Acquisition.Grant grant) {
            return holdfast.hold(grant, with);
        }
        throw failure((Acquisition.Refusal) result);
    }

    private HoldfastException failure(Acquisition.Refusal refusal) {
        Outcome outcome = refusal.outcome();
        boolean held = outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        return held
                ? new LockTimeoutException(resource, refusal.waited(), outcome.freeIn(), outcome.votes())
                : new QuorumUnreachableException(resource, outcome.tally().nodes(), refusal.waited(), outcome.votes());
    }

    @Override
    public String toString() {
        return "DistributedLock[" + resource + "]";
    }
}
