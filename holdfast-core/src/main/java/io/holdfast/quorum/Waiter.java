package io.holdfast.quorum;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.quorum.Acquisition.Grant;
import io.holdfast.quorum.Acquisition.Result;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One of a client who want a lock: in the queue at first, then on the nodes. */
final class Waiter {

    private final Contenders contenders;
    private final String resource;
    private final Terms terms;
    private final Patience patience;
    private final Moment since;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private volatile boolean contended;
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

    /** What it comes to; cancelling it ends the wait. */
    CompletableFuture<Result> result() {
        return result;
    }

    /** It is known that others want the lock. */
    void isContended() {
        contended = true;
    }

    /** Whoever is still in the queue when its patience may be over asks for itself: the nodes tell it why it waited. */
    void startPatience() {
        if (isQueued()) {
            Duration limit = shorter(patience.whileHeld(), patience.whileUnreachable());
            outOfPatience = contenders.quorum().time().schedule(limit, this::runOutOfPatience);
            if (!isQueued()) {
                stopPatience();
            }
        }
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
        } else if (!(done instanceof Grant)) {
            contenders.quit(resource, this);
        }
    }
}
