package io.holdfast.hold;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The timer of one hold. It declares the loss in time, and extends the lease every third of its length, as long as
 * {@code holdLimit} allows. An unconfirmed extension is repeated after a short random delay. One extension is under way
 * at a time, and none begins after the hold has ended.
 *
 * <p>Uses one timer, for the next extension or the loss, whichever is earlier.
 */
final class Renewal extends SharedTimers.Timeout {

    private static final int RENEWALS_PER_LEASE = 3;
    private static final int REPETITIONS_PER_LEASE = 6;
    /** An extension may be early by this share of the interval, so that it is sent together with others. */
    private static final int EARLY_BY_ONE_IN = 100;

    private static final int LOSS_EARLY_BY_ONE_IN = 100;

    private final Hold hold;
    /** The retention with which the timer releases the hold; null: its caller wants it. */
    private volatile @Nullable Duration retention;

    private Extending extending = Extending.NOT_PLANNED;
    private boolean once;
    private long extensionNanos;
    private int failures;

    /** The state of the next extension. */
    private enum Extending {
        NOT_PLANNED,
        /** An extension is due at {@link #extensionNanos}. */
        PLANNED,
        UNDER_WAY,
        /** Another extension follows at once, since the hold limit that shortened the present one was moved. */
        UNDER_WAY_AND_AGAIN,
        /** No extension follows until the hold limit is moved. */
        AT_LIMIT
    }

    Renewal(Hold hold) {
        this.hold = hold;
    }

    /**
     * Starts the watch for the loss, and the renewals if they are wanted. A short lease is extended when it can no
     * longer be handed over, also without renewals. Until then, most leases of a contended lock are released.
     */
    void start(boolean renewed, Validity granted, long grantedNanos) {
        once = !renewed;
        if (granted.isOfStandingClaim(hold.parameters())) {
            extendAt(grantedNanos + hold.parameters().handOverLimit().toNanos());
        } else if (renewed) {
            extendAt(afterInterval(granted.from()));
        } else {
            setTimer();
        }
    }

    private synchronized void extendAt(long whenNanos) {
        extending = Extending.PLANNED;
        extensionNanos = whenNanos;
        setTimer();
    }

    private void extendNow() {
        extendAt(nanos());
    }

    /** Ends the renewals until the hold limit is moved, if that has not just happened. */
    private synchronized void endAtLimit() {
        if (extending == Extending.UNDER_WAY_AND_AGAIN) {
            extendNow();
        } else {
            extending = Extending.AT_LIMIT;
        }
    }

    /**
     * Sets the timer for another hold limit.
     *
     * @param reached whether the previous limit has shortened an extension, which is then repeated
     */
    synchronized void limitMoved(boolean reached) {
        if (reached && (extending == Extending.PLANNED || extending == Extending.AT_LIMIT)) {
            extendNow();
            return;
        } else if (reached && extending == Extending.UNDER_WAY) {
            extending = Extending.UNDER_WAY_AND_AGAIN;
        }
        setTimer();
    }

    /** Sets the timer to the loss, or to the next extension if one is planned before it. */
    synchronized void setTimer() {
        Duration left = hold.leftToLoss();
        Duration untilExtension = untilExtension();
        if (extending == Extending.PLANNED && untilExtension.compareTo(left) < 0) {
            // Up to half of a short delay: extensions that failed together, because a node was too slow, stay together.
            holds().timers().set(this, untilExtension, shorter(tolerance(), Durations.part(untilExtension, 2)));
        } else {
            // If the timer fires early, it is set again for the rest.
            holds().timers().set(this, left, Durations.part(left, LOSS_EARLY_BY_ONE_IN));
        }
        if (hold.isOver()) {
            cancel();
        }
    }

    private Duration tolerance() {
        return Durations.part(interval(), EARLY_BY_ONE_IN);
    }

    private Duration untilExtension() {
        return Duration.ofNanos(Math.max(0, extensionNanos - nanos()));
    }

    private long nanos() {
        return holds().group().now().nanos();
    }

    void cancel() {
        holds().timers().cancel(this);
    }

    /** Lets the timer release the hold the next time it fires. */
    void releaseLater(Duration keep) {
        retention = keep;
    }

    @Override
    void fire() {
        Duration keep = retention;
        if (keep != null) {
            hold.release(keep);
        }
        hold.expireIfDue();
        if (!hold.isOver()) {
            boolean extension = takeExtension();
            setTimer();
            if (extension) {
                extend();
            }
        }
    }

    /** Fires the timer if it should have fired by the wall clock, and sets it again. */
    void resumeAfter(Duration suspended) {
        synchronized (this) {
            extensionNanos -= suspended.toNanos();
        }
        fire();
    }

    /** Returns {@code true} if the next extension is due; then the caller sends it. */
    private synchronized boolean takeExtension() {
        boolean isTime = extending == Extending.PLANNED && untilExtension().compareTo(tolerance()) <= 0;
        extending = isTime ? Extending.UNDER_WAY : extending;
        return isTime;
    }

    private void extend() {
        HoldLimit limit = hold.limit;
        Duration extensible = limit.left(holds().group().now());
        Duration ttl = shorter(hold.parameters().ttl(), extensible);
        boolean isLast = ttl.equals(extensible);
        if (isLast && !hold.reachLimit(limit)) {
            // The limit was moved meanwhile.
            extend();
            return;
        }
        // Sent even if the lease already lasts longer: that finds and repairs nodes that have lost the lock.
        if (!isLast || ttl.compareTo(hold.remaining()) > 0) {
            holds().extendSoon(this, hold.claim().extend(ttl));
        } else {
            endAtLimit();
        }
    }

    /**
     * Returns the longest wait for replies. It is long, since a late confirmation is as good as an early one and a
     * repetition is more work for a slow node. After an interruption, enough of the lease is left for a repetition.
     */
    Duration answerLimit() {
        return shorter(hold.parameters().renewalTimeout(), untilRepetition());
    }

    /**
     * Returns the longest time until an extension is repeated, a share of the lease that the nodes store at present.
     */
    private Duration untilRepetition() {
        return Durations.part(hold.current.validity().length(), REPETITIONS_PER_LEASE);
    }

    /** Returns {@code true} if the hold has not ended since the extension was planned. */
    boolean isWanted() {
        return !hold.isOver();
    }

    /** Applies the round of an extension to the hold, and plans the next one. */
    void follow(Round round, Claim extension) {
        new ExtensionRound(hold, extension, round).result().thenAccept(result -> settle(result, round.begun()));
    }

    private void settle(Extension extension, Moment begun) {
        switch (extension) {
            case CONFIRMED -> confirmed(begun);
            case UNCONFIRMED -> extendAt(afterFailure(begun));
            case ENDED -> {}
        }
    }

    private synchronized void confirmed(Moment begun) {
        failures = 0;
        if (once) {
            extending = Extending.NOT_PLANNED;
            setTimer();
        } else {
            extendAt(extending == Extending.UNDER_WAY_AND_AGAIN ? nanos() : afterInterval(begun));
        }
    }

    private synchronized long afterFailure(Moment begun) {
        failures++;
        Duration delay = hold.parameters().retryAfter(failures, holds().group().random());
        long passed = nanos() - begun.nanos();
        return nanos() + Math.min(delay.toNanos(), untilRepetition().toNanos() - passed);
    }

    private HoldRegistry holds() {
        return hold.holds;
    }

    /**
     * Returns when the next extension is due. As the validity does, the interval counts from before the request was
     * sent.
     */
    private long afterInterval(Moment begun) {
        return begun.nanos() + interval().toNanos();
    }

    private Duration interval() {
        return Durations.part(hold.parameters().ttl(), RENEWALS_PER_LEASE);
    }
}
