package io.holdfast.spring.use;

import io.holdfast.Lease;
import io.holdfast.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of a lease by one call: by the call that acquired it, or by a re-entrant one. The lease is released when its last use has ended.
 * Thread-safe.
 */
public final class LeaseUse {

    private final Lease lease;
    private final Supplier<Duration> rest;
    /** The uses of the lease that have not ended; zero is final. */
    private final AtomicInteger pending;
    /** Completes when no use is pending. */
    private final CompletableFuture<@Nullable Void> unused;

    private boolean ended;
    private boolean last;

    private LeaseUse(
            Lease lease, Supplier<Duration> rest, AtomicInteger pending, CompletableFuture<@Nullable Void> unused) {
        this.lease = lease;
        this.rest = rest;
        this.pending = pending;
        this.unused = unused;
    }

    /**
     * Begins the first use of a lease.
     *
     * @param rest returns the time for which the nodes have to keep the lock after the last use
     */
    public static LeaseUse first(Lease lease, Supplier<Duration> rest) {
        return new LeaseUse(lease, rest, new AtomicInteger(1), new CompletableFuture<>());
    }

    /** Begins another use of the same lease; empty if the last one has ended. */
    public Optional<LeaseUse> another() {
        return pending.updateAndGet(uses -> uses == 0 ? 0 : uses + 1) == 0
                ? Optional.empty()
                : Optional.of(new LeaseUse(lease, rest, pending, unused));
    }

    /** Returns the lease. */
    public Lease lease() {
        return lease;
    }

    /** Ends this use. If it is the last one, blocks until the lease is released. A second call has no further effect. */
    public void end() {
        if (endsLast()) {
            lease.release(rest.get());
        }
    }

    /** Ends this use without blocking. The future completes after the release if this use is the last one, else at once. */
    public CompletableFuture<@Nullable ReleaseOutcome> endAsync() {
        return endsLast() ? release().thenApply(outcome -> outcome) : CompletableFuture.completedFuture(null);
    }

    /** Ends this use. The future completes after the release, which waits for all other uses. */
    public CompletableFuture<ReleaseOutcome> endAfterOthers() {
        endsLast();
        return unused.thenCompose(none -> release());
    }

    /** Releases the lease without blocking, whatever its uses. */
    public CompletableFuture<ReleaseOutcome> release() {
        return lease.releaseAsync(rest.get());
    }

    private boolean endsLast() {
        boolean isLast = countDown();
        if (isLast) {
            unused.complete(null);
        }
        return isLast;
    }

    private synchronized boolean countDown() {
        if (!ended) {
            ended = true;
            last = pending.decrementAndGet() == 0;
        }
        return last;
    }
}
