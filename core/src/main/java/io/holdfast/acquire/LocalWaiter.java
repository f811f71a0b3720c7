package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Held;
import io.holdfast.acquire.AcquireResult.Refused;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
    private final LockWait wait;
    private final Executor thread;
    private final CompletableFuture<AcquireResult<Grant>> result = new CompletableFuture<>();
    private volatile boolean contended;
    private volatile boolean waking;
    /** True if the limit is over, but the first round of the contender is not. */
    private volatile boolean isLate;

    private volatile @Nullable Moment notifiedAt;
    private volatile @Nullable Acquisition acquisition;
    private volatile Time.@Nullable Timer limitTimer;

    LocalWaiter(LocalWaiters localWaiters, LockWait wait, Executor thread) {
        this.localWaiters = localWaiters;
        this.wait = wait;
        this.thread = thread;
        result.whenComplete((done, failure) -> end(done));
    }

    LockParameters parameters() {
        return wait.parameters();
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

    /** Lets the thread of the waiter accept the lock that is offered to it, unless it is about to do so. */
    void wake() {
        if (waking) {
            return;
        }
        waking = true;
        stopLimit();
        try {
            thread.execute(this::accept);
        } catch (RuntimeException | Error noThread) {
            wait.group().time().schedule(Duration.ZERO, this::accept);
        }
    }

    /** A close waits for it: by then, the offered lock is that of a lease, or handed over or released. */
    private void accept() {
        // Before the offer ends: the next offer has to wake the thread again.
        waking = false;
        wait.group().trackNow(() -> localWaiters.accept(this));
    }

    /** Ends the wait by a failure of the thread; returns {@code false} if it has ended before. */
    boolean fail(Throwable failure) {
        return result.completeExceptionally(failure);
    }

    String resource() {
        return wait.resource();
    }

    /** Contends at once, as the only waiter of this client, and returns the result. */
    CompletableFuture<AcquireResult<Grant>> contend() {
        try {
            prepare().attempt();
        } catch (Throwable notBegun) {
            fail(notBegun);
            throw notBegun;
        }
        return result;
    }

    /** Starts the limit of a queued waiter and returns its result. */
    CompletableFuture<AcquireResult<Grant>> begin() {
        try {
            if (isQueued()) {
                scheduleCheck(wait.limit().left(wait.waited(wait.now())));
            } else if (result.isDone()) {
                localWaiters.leave(this);
            }
        } catch (Throwable notBegun) {
            fail(notBegun);
            throw notBegun;
        }
        return result;
    }

    private boolean isQueued() {
        return acquisition == null && !result.isDone();
    }

    private void scheduleCheck(Duration left) {
        stopLimit();
        limitTimer = wait.group().time().schedule(left, this::checkLimit);
        if (!isQueued()) {
            stopLimit();
        }
    }

    /**
     * Ends the wait at its limit, without a question to the nodes: of ten thousand waiters whose limits end together,
     * each reports what the contender has learnt. If that is nothing yet, its first round ends within the time of a
     * round.
     */
    private void checkLimit() {
        Outcome known = localWaiters.known(resource());
        if (known == null && !isLate && localWaiters.isContending(resource())) {
            isLate = true;
            scheduleCheck(parameters().nodeTimeout());
        } else if (localWaiters.remove(resource(), this)) {
            refused(known);
        }
    }

    private void refused(@Nullable Outcome outcome) {
        result.complete(new Refused<>(outcome, wait.waited(wait.now())));
    }

    /** Returns what the acquisition of this waiter has learnt last; null: nothing yet. */
    @Nullable
    Outcome lastOutcome() {
        Acquisition started = acquisition;
        return started == null ? null : started.lastOutcome();
    }

    private void stopLimit() {
        Time.Timer timer = limitTimer;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Completes the result with a grant; returns {@code false} if the waiter has ended before. */
    boolean granted(Grant grant) {
        return result.complete(new Held<>(grant));
    }

    /** Returns the acquisition of a waiter that has left the local queue to contend; the caller starts it. */
    Acquisition prepare() {
        Acquisition prepared = Acquisition.of(wait, contended, this::settle);
        acquisition = prepared;
        stopLimit();
        if (result.isDone()) {
            prepared.result().cancel(true);
        }
        return prepared;
    }

    private void settle(@Nullable AcquireResult<Grant> settled, @Nullable Throwable failure) {
        Grant grant = settled == null ? null : settled.lock().orElse(null);
        // A wait that ends before its limit is in vain, also for those behind it.
        boolean isInVain = settled instanceof Refused
                && wait.limit().left(wait.waited(wait.now())).compareTo(Duration.ZERO) > 0;
        Outcome learnt = lastOutcome();
        localWaiters.contenderSettled(this, grant, isInVain).forEach(behind -> behind.refused(learnt));
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (!result.complete(settled) && grant != null) {
            localWaiters.giveBack(grant);
        }
    }

    /** Stops everything that runs for this waiter, since its result is complete. */
    private void end(@Nullable AcquireResult<Grant> done) {
        stopLimit();
        Acquisition started = acquisition;
        if (started != null) {
            started.result().cancel(true);
        } else if (done == null) {
            localWaiters.leave(this);
        }
    }
}
