package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.quorum.LockParameters;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One of a client who want a lock: in the queue at first, then on the nodes. */
final class LocalWaiter {

    /**
     * For how long others may pass one who was called. To wake a thread takes a tenth of that, in which one that is awake can hold a lock
     * several times, if it needs it for microseconds.
     */
    private static final Duration BARGING_LIMIT = Duration.ofNanos(500_000);

    private final LocalWaiters localWaiters;
    private final String resource;
    private final LockParameters parameters;
    private final WaitLimits limits;
    private final Moment since;
    private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
    private volatile boolean contended;
    private volatile @Nullable Moment notifiedAt;
    private volatile @Nullable Acquisition acquisition;
    private volatile Time.@Nullable Timer limitTimer;

    LocalWaiter(
            LocalWaiters localWaiters, String resource, LockParameters parameters, WaitLimits limits, Moment since) {
        this.localWaiters = localWaiters;
        this.resource = resource;
        this.parameters = parameters;
        this.limits = limits;
        this.since = since;
        result.whenComplete((done, failure) -> leave(done));
    }

    LockParameters parameters() {
        return parameters;
    }

    /** It is known that others want the lock. */
    void markContended() {
        contended = true;
    }

    /** The lock is left to it; from the first time on, its time to be passed runs. */
    void markNotified(Moment now) {
        notifiedAt = notifiedAt == null ? now : notifiedAt;
    }

    /** Whether somebody else may have once more what was left to it. */
    boolean mayBeBarged(Moment now) {
        Moment first = notifiedAt;
        return first != null && now.since(first).compareTo(BARGING_LIMIT) < 0;
    }

    /** Tells it that the lock is left to it, if it does not know; false: it does not want it any more. */
    boolean notifyOffered() {
        return result.complete(new AcquireResult.Offered(this)) || !result.isCompletedExceptionally();
    }

    /** The same, to wait again where it was passed. */
    LocalWaiter again() {
        LocalWaiter again = new LocalWaiter(localWaiters, resource, parameters, limits, since);
        again.notifiedAt = notifiedAt;
        return again;
    }

    String resource() {
        return resource;
    }

    /**
     * Starts the limits of a queued waiter. When they are over while it is still queued, it takes part in one more attempt, so that its
     * timeout reports what the nodes say.
     */
    CompletableFuture<AcquireResult> begin() {
        if (isQueued()) {
            watchLimits(left());
        }
        return result;
    }

    /**
     * Goes on waiting after a final attempt that others may have made some time ago. The limits are looked at again after the time of a
     * round at the earliest, or the waiter would join the same attempt again and again.
     */
    void waitAgain() {
        if (isQueued()) {
            watchLimits(longer(left(), parameters.nodeTimeout()));
        }
    }

    private boolean isQueued() {
        return acquisition == null && !result.isDone();
    }

    private Duration left() {
        Moment now = localWaiters.group().time().now();
        return limits.left(
                now.surelySince(since), localWaiters.group().reachability().unreachableFor(since, now));
    }

    /** The nodes may become unreachable meanwhile, so it looks again after the limit for that. */
    private void watchLimits(Duration left) {
        Duration unreachable = longer(limits.whileUnreachable(), parameters.nodeTimeout());
        limitTimer = localWaiters.group().time().schedule(shorter(left, unreachable), this::checkLimits);
        if (!isQueued()) {
            stopLimits();
        }
    }

    private void checkLimits() {
        Duration left = left();
        if (left.compareTo(Duration.ZERO) > 0) {
            watchLimits(left);
        } else if (localWaiters.quit(resource, this)) {
            localWaiters.attemptFinally(this);
        }
    }

    private void stopLimits() {
        Time.Timer timer = limitTimer;
        if (timer != null) {
            timer.cancel();
        }
    }

    Moment since() {
        return since;
    }

    /** The final attempt got the lock for it; returns false if it does not want the lock any more. */
    boolean granted(Grant grant) {
        return result.complete(grant);
    }

    void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    /** The final attempt was refused, and its limits are over; or it goes on waiting, if the reason has changed meanwhile. */
    void refused(AcquireResult.Refusal refusal) {
        Moment now = localWaiters.group().time().now();
        Duration waited = now.surelySince(since);
        boolean unreachable = refusal.outcome().isUnreachable();
        Duration unreachableFor =
                unreachable ? localWaiters.group().reachability().unreachableFor(since, now) : null;
        if (!result.isDone() && limits.left(waited, unreachableFor).compareTo(Duration.ZERO) > 0) {
            localWaiters.waitAgain(this);
        } else {
            result.complete(new AcquireResult.Refusal(refusal.outcome(), refusal.attempts(), waited));
        }
    }

    /** It is out of the queue: an acquisition for it, to be started. */
    Acquisition prepare() {
        Acquisition prepared = Acquisition.of(
                localWaiters.group(),
                localWaiters.proposer(),
                resource,
                parameters,
                limits,
                since,
                contended,
                this::settle);
        acquisition = prepared;
        stopLimits();
        if (result.isDone()) {
            prepared.result().cancel(true);
        }
        return prepared;
    }

    private void settle(@Nullable AcquireResult settled, @Nullable Throwable failure) {
        Grant grant = settled instanceof Grant granted ? granted : null;
        localWaiters.settled(resource, this, grant);
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (settled instanceof AcquireResult.Refusal refusal && wasOnlySlow(refusal)) {
            acquisition = null;
            localWaiters.attemptFinally(this);
        } else if (!result.complete(settled) && grant != null) {
            localWaiters.group().release(grant.claim(), grant.trace(), parameters.nodeTimeout());
            localWaiters.ended(grant.claim());
        }
    }

    /**
     * Returns {@code true} if the nodes answered until the round that ended the wait. The client may be too busy to read in time, so the
     * final attempt, which waits longer, finds the reason.
     */
    private boolean wasOnlySlow(AcquireResult.Refusal refusal) {
        boolean wasRefusedBefore = contended || refusal.attempts() > 1;
        boolean isOver = limits.left(refusal.waited(), null).compareTo(Duration.ZERO) <= 0;
        if (!refusal.outcome().isUnreachable() || !wasRefusedBefore || !isOver) {
            return false;
        }
        Duration unreachable = localWaiters
                .group()
                .reachability()
                .unreachableFor(since, localWaiters.group().time().now());
        return unreachable == null || unreachable.compareTo(parameters.nodeTimeout()) <= 0;
    }

    /** It has what it wanted, or does not want it any more. */
    private void leave(@Nullable AcquireResult done) {
        stopLimits();
        Acquisition started = acquisition;
        if (started != null) {
            started.result().cancel(true);
        } else if (done == null) {
            localWaiters.quit(resource, this);
        }
    }
}
