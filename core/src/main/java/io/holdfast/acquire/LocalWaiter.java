package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.quorum.LockParameters;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A waiter of this client for one lock: in the local wait queue at first, then contending on the nodes. Thread-safe.
 */
final class LocalWaiter {

    /**
     * The time after its notification in which other waiters may barge past a waiter. Waking a thread takes a tenth of
     * this time; a running thread can acquire and release the lock several times meanwhile.
     */
    private static final Duration BARGING_LIMIT = Duration.ofNanos(500_000);

    private final LocalWaiters localWaiters;
    private final String resource;
    private final LockParameters parameters;
    private final WaitLimit limit;
    private final Moment since;
    private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
    private volatile boolean contended;
    private volatile @Nullable Moment notifiedAt;
    private volatile @Nullable Acquisition acquisition;
    private volatile Time.@Nullable Timer limitTimer;

    LocalWaiter(LocalWaiters localWaiters, String resource, LockParameters parameters, WaitLimit limit, Moment since) {
        this.localWaiters = localWaiters;
        this.resource = resource;
        this.parameters = parameters;
        this.limit = limit;
        this.since = since;
        result.whenComplete((done, failure) -> end(done));
    }

    LockParameters parameters() {
        return parameters;
    }

    /** Records that other waiters contend for the lock. */
    void markContended() {
        contended = true;
    }

    /** Records that the lock is offered to this waiter; the first offer starts the barging limit. */
    void markNotified(Moment now) {
        notifiedAt = notifiedAt == null ? now : notifiedAt;
    }

    /** Returns {@code true} if another waiter may still take the lock that is offered to this one. */
    boolean mayBeBarged(Moment now) {
        Moment first = notifiedAt;
        return first != null && now.since(first).compareTo(BARGING_LIMIT) < 0;
    }

    /** Completes the result with the offer of the lock; returns {@code false} if the waiter has been cancelled. */
    boolean notifyOffered() {
        return result.complete(new AcquireResult.Offered(this)) || !result.isCompletedExceptionally();
    }

    /** Returns a new waiter with the same limit, which waits again after others barged past this one. */
    LocalWaiter renewed() {
        LocalWaiter renewed = new LocalWaiter(localWaiters, resource, parameters, limit, since);
        renewed.notifiedAt = notifiedAt;
        return renewed;
    }

    String resource() {
        return resource;
    }

    /** Contends at once, as the only waiter of this client, and returns the result. */
    CompletableFuture<AcquireResult> contend() {
        try {
            prepare().attempt();
        } catch (Throwable notBegun) {
            result.completeExceptionally(notBegun);
            throw notBegun;
        }
        return result;
    }

    /**
     * Starts the limit of a queued waiter and returns its result. If it expires while the waiter is still queued, it
     * joins a final attempt, so that its timeout reports what the nodes say.
     */
    CompletableFuture<AcquireResult> begin() {
        if (isQueued()) {
            scheduleCheck(left());
        }
        return result;
    }

    private boolean isQueued() {
        return acquisition == null && !result.isDone();
    }

    private Duration left() {
        return limit.left(localWaiters.group().time().now().surelySince(since));
    }

    private void scheduleCheck(Duration left) {
        limitTimer = localWaiters.group().time().schedule(left, this::checkLimit);
        if (!isQueued()) {
            stopLimit();
        }
    }

    private void checkLimit() {
        Duration left = left();
        if (left.compareTo(Duration.ZERO) > 0) {
            scheduleCheck(left);
        } else if (localWaiters.remove(resource, this)) {
            localWaiters.joinFinalAttempt(this);
        }
    }

    private void stopLimit() {
        Time.Timer timer = limitTimer;
        if (timer != null) {
            timer.cancel();
        }
    }

    Moment since() {
        return since;
    }

    /** Completes the result with the grant of a final attempt; returns {@code false} if the waiter has ended before. */
    boolean granted(Grant grant) {
        return result.complete(grant);
    }

    void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    /** Completes the result with the refusal of a final attempt. */
    void refused(AcquireResult.Refusal refusal) {
        Duration waited = localWaiters.group().time().now().surelySince(since);
        result.complete(new AcquireResult.Refusal(refusal.outcome(), refusal.attempts(), waited));
    }

    /** Returns the acquisition of a waiter that has left the local queue to contend; the caller starts it. */
    Acquisition prepare() {
        Acquisition prepared = Acquisition.of(
                localWaiters.group(),
                localWaiters.proposer(),
                resource,
                parameters,
                limit,
                since,
                contended,
                this::settle);
        acquisition = prepared;
        stopLimit();
        if (result.isDone()) {
            prepared.result().cancel(true);
        }
        return prepared;
    }

    private void settle(@Nullable AcquireResult settled, @Nullable Throwable failure) {
        Grant grant = settled instanceof Grant granted ? granted : null;
        localWaiters.contenderSettled(resource, this, grant);
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (!result.complete(settled) && grant != null) {
            localWaiters.group().release(grant.claim(), grant.trace(), parameters.nodeTimeout());
            localWaiters.ended(grant.held());
        }
    }

    /** Stops everything that runs for this waiter, since its result is complete. */
    private void end(@Nullable AcquireResult done) {
        stopLimit();
        Acquisition started = acquisition;
        if (started != null) {
            started.result().cancel(true);
        } else if (done == null) {
            localWaiters.remove(resource, this);
        }
    }
}
