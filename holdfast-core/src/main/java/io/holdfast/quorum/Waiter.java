package io.holdfast.quorum;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.quorum.Result.Grant;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One of a client who want a lock: in the queue at first, then on the nodes. */
final class Waiter {

    /**
     * For how long others may pass one who was called. To wake a thread takes a tenth of that, in which one that is awake can hold a lock
     * several times, if it needs it for microseconds.
     */
    private static final Duration PASSING_LIMIT = Duration.ofNanos(500_000);

    private final Contenders contenders;
    private final String resource;
    private final Terms terms;
    private final Patience patience;
    private final Moment since;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private volatile boolean contended;
    private volatile @Nullable Moment calledAt;
    private volatile @Nullable Acquisition acquisition;
    private volatile Time.@Nullable Timer outOfPatience;

    Waiter(Contenders contenders, String resource, Terms terms, Patience patience, Moment since) {
        this.contenders = contenders;
        this.resource = resource;
        this.terms = terms;
        this.patience = patience;
        this.since = since;
        result.whenComplete((done, failure) -> leave(done));
    }

    Terms terms() {
        return terms;
    }

    /** It is known that others want the lock. */
    void isContended() {
        contended = true;
    }

    /** The lock is left to it; from the first time on, its time to be passed runs. */
    void isCalled(Moment now) {
        calledAt = calledAt == null ? now : calledAt;
    }

    /** Whether somebody else may have once more what was left to it. */
    boolean mayBePassed(Moment now) {
        Moment first = calledAt;
        return first != null && now.since(first).compareTo(PASSING_LIMIT) < 0;
    }

    /** Tells it that the lock is left to it, if it does not know; false: it does not want it any more. */
    boolean call() {
        return result.complete(new Result.Called(this)) || !result.isCompletedExceptionally();
    }

    /** The same, to wait again where it was passed. */
    Waiter again() {
        Waiter again = new Waiter(contenders, resource, terms, patience, since);
        again.calledAt = calledAt;
        return again;
    }

    String resource() {
        return resource;
    }

    /** It is in the queue. Whoever is there still when its patience may be over asks for itself: the nodes tell it why it waited. */
    CompletableFuture<Result> begin() {
        if (isQueued()) {
            Time time = contenders.quorum().time();
            Duration limit = shorter(patience.whileHeld(), patience.whileUnreachable());
            outOfPatience = time.schedule(limit.minus(time.now().since(since)), this::runOutOfPatience);
            if (!isQueued()) {
                stopPatience();
            }
        }
        return result;
    }

    private boolean isQueued() {
        return acquisition == null && !result.isDone();
    }

    private void runOutOfPatience() {
        if (contenders.quit(resource, this)) {
            prepare().start();
        }
    }

    private void stopPatience() {
        Time.Timer timer = outOfPatience;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** It is out of the queue: an acquisition for it, to be started. */
    Acquisition prepare() {
        Acquisition prepared = Acquisition.of(
                contenders.quorum(), contenders.proposals(), resource, terms, patience, since, contended, this::settle);
        acquisition = prepared;
        stopPatience();
        if (result.isDone()) {
            prepared.result().cancel(true);
        }
        return prepared;
    }

    private void settle(@Nullable Result settled, @Nullable Throwable failure) {
        Grant grant = settled instanceof Grant granted ? granted : null;
        contenders.settled(resource, this, grant);
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (!result.complete(settled) && grant != null) {
            contenders.quorum().release(grant.claim(), grant.trail(), terms.nodeTimeout());
            contenders.ended(grant.claim());
        }
    }

    /** It has what it wanted, or does not want it any more. */
    private void leave(@Nullable Result done) {
        stopPatience();
        Acquisition started = acquisition;
        if (started != null) {
            started.result().cancel(true);
        } else if (done == null) {
            contenders.quit(resource, this);
        }
    }
}
