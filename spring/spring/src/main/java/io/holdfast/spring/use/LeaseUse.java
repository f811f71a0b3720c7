package io.holdfast.spring.use;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The use of a lease by one call: by the call that acquired it, or by a re-entrant one. The lease is released when its
 * last use has ended. Thread-safe.
 */
public final class LeaseUse {

    private final Shared shared;

    private boolean ended;
    private boolean last;

    private LeaseUse(Shared shared) {
        this.shared = shared;
    }

    /**
     * The state that all uses of a lease share.
     *
     * @param key the lock of the lease
     * @param pending the uses that have not ended; zero is final
     * @param unused completes when no use is pending
     */
    private record Shared(
            Lease lease,
            LockKey key,
            Retention retention,
            AtomicInteger pending,
            CompletableFuture<@Nullable Void> unused) {}

    /**
     * Begins the first use of a lease that was granted now.
     *
     * @param key the lock of the lease
     */
    public static LeaseUse first(Lease lease, LockKey key, Time time) {
        return new LeaseUse(
                new Shared(lease, key, new Retention(time), new AtomicInteger(1), new CompletableFuture<>()));
    }

    /** Begins another use of the same lease; empty if the last one has ended. */
    public Optional<LeaseUse> another() {
        boolean isOver = shared.pending.updateAndGet(uses -> uses == 0 ? 0 : uses + 1) == 0;
        return isOver ? Optional.empty() : Optional.of(new LeaseUse(shared));
    }

    /** Lets the nodes keep the lock for this time from now, unless they keep it for longer. */
    public void retain(Duration atLeast) {
        shared.retention.extend(atLeast);
    }

    /** Returns {@code true} if this is the use of a valid lease of this lock. */
    boolean isOf(LockKey key) {
        return shared.key.equals(key) && shared.lease.isValid();
    }

    /** Returns the lease. */
    public Lease lease() {
        return shared.lease;
    }

    /** Returns the time for which the nodes would have to keep the lock if it were released now. */
    public Duration rest() {
        return shared.retention.rest();
    }

    /**
     * Returns {@code true} until the nodes certainly do not keep the lock any more for the shortest time of its uses.
     */
    public boolean mayBeKept() {
        return shared.retention.mayLast();
    }

    /**
     * Ends this use. If it is the last one, blocks until the lease is released. A second call has no further effect.
     *
     * @return the loss that only the release has shown; null if there is none
     */
    public @Nullable LeaseLostException end() {
        if (!endsLast()) {
            return null;
        }
        boolean held = shared.lease.isValid();
        return loss(held, shared.lease.release(rest()));
    }

    /**
     * Ends this use without blocking. The future completes after the release if this use is the last one, else at once;
     * with the result of {@link #end}.
     */
    public CompletableFuture<@Nullable LeaseLostException> endAsync() {
        return endsLast() ? releaseHeld() : CompletableFuture.completedFuture(null);
    }

    /**
     * Ends this use. The future completes after the release, which waits for all other uses; with the result of {@link
     * #end}.
     */
    public CompletableFuture<@Nullable LeaseLostException> endAfterOthers() {
        endsLast();
        return shared.unused.thenCompose(none -> releaseHeld());
    }

    private CompletableFuture<@Nullable LeaseLostException> releaseHeld() {
        boolean held = shared.lease.isValid();
        return release().thenApply(outcome -> loss(held, outcome));
    }

    /** A lease that had ended before was lost, which is reported elsewhere, or released by its method. */
    private @Nullable LeaseLostException loss(boolean held, ReleaseOutcome outcome) {
        return held && outcome == ReleaseOutcome.NOT_HELD
                ? LeaseLostException.atRelease(shared.lease.resource())
                : null;
    }

    /** Releases the lease without blocking, whatever its uses. */
    public CompletableFuture<ReleaseOutcome> release() {
        return shared.lease.releaseAsync(rest());
    }

    private boolean endsLast() {
        boolean isLast = countDown();
        if (isLast) {
            shared.unused.complete(null);
        }
        return isLast;
    }

    private synchronized boolean countDown() {
        if (!ended) {
            ended = true;
            last = shared.pending.decrementAndGet() == 0;
        }
        return last;
    }
}
