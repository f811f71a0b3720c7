package io.holdfast.hold;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Round;
import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * The watchdog of one hold: tells its end in time, and extends it every third of its lease, again after a short random delay where
 * that was not confirmed, and for no longer than {@code holdLimit} allows. One extension is under way at a time, and none
 * begins once the hold has ended.
 *
 * <p>It has one alarm, for what comes first: the next extension or the loss.
 */
final class Renewal extends TimerWheel.Timeout {

    private static final int RENEWALS_PER_LEASE = 3;
    /** An extension may come earlier by this share of the interval, so that it is asked for together with others. */
    private static final int EARLY_BY_ONE_IN = 100;

    private static final int LOSS_EARLY_BY_ONE_IN = 100;
    private static final int PATIENCE_IS_ONE_IN = 10;

    private final HoldRegistry holds;
    private final Hold hold;
    private boolean extensionIsSet;
    private boolean ended;
    private boolean again;
    private long extensionNanos;
    private int failures;

    Renewal(HoldRegistry holds, Hold hold) {
        this.holds = holds;
        this.hold = hold;
    }

    /** Extends it, and watches for its end. */
    void start() {
        extendAfter(interval());
    }

    private synchronized void extendAfter(Duration delay) {
        extensionIsSet = true;
        extensionNanos = nanos() + delay.toNanos();
        watch();
    }

    /** No extension follows, unless the hold limit is moved. */
    private synchronized void endAtLimit() {
        ended = true;
    }

    /**
     * Sets the timer again for another hold limit.
     *
     * @param reached whether the limit before has shortened an extension, which then is asked for again
     */
    synchronized void limitMoved(boolean reached) {
        if (reached && (extensionIsSet || ended)) {
            ended = false;
            extendAfter(Duration.ZERO);
        } else {
            again = reached;
            watch();
        }
    }

    /** Watches for its end, and for the next extension if there is to be one. */
    synchronized void watch() {
        Duration left = hold.leftToLoss();
        Duration untilExtension = untilExtension();
        if (extensionIsSet && untilExtension.compareTo(left) < 0) {
            // Half of a short delay, too: what failed together, in a node that was too slow for it, is not asked for
            // one by one.
            holds.alarms().set(this, untilExtension, shorter(tolerance(), Durations.part(untilExtension, 2)));
        } else {
            // Too early, it is set again, for the hundredth that is left.
            holds.alarms().set(this, left, Durations.part(left, LOSS_EARLY_BY_ONE_IN));
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
        return holds.group().time().now().nanos();
    }

    void cancel() {
        holds.alarms().cancel(this);
    }

    @Override
    void fire() {
        if (hold.state().isValid()) {
            boolean extension = takeExtension();
            watch();
            if (extension) {
                extend();
            }
        }
    }

    /** Rings now for what should have rung by the wall clock, and sets the alarm again for the rest. */
    void resumeAfter(Duration suspended) {
        synchronized (this) {
            extensionNanos -= suspended.toNanos();
        }
        fire();
    }

    /** Whether it is time for the next extension, which then is nobody else's business. */
    private synchronized boolean takeExtension() {
        boolean isTime = extensionIsSet && untilExtension().compareTo(tolerance()) <= 0;
        if (isTime) {
            extensionIsSet = false;
        }
        return isTime;
    }

    private void extend() {
        Duration extensible = hold.extensible();
        Duration ttl = shorter(hold.parameters().ttl(), extensible);
        boolean isLast = ttl.equals(extensible);
        if (isLast) {
            hold.limit.reach();
        }
        // Also while an extension makes the lease longer than that: so nodes that have lost it are noticed and
        // repaired.
        if (!isLast || ttl.compareTo(hold.remaining()) > 0) {
            holds.extendSoon(this, hold.claim().extend(ttl));
        } else {
            endAtLimit();
        }
    }

    /**
     * How long an answer is waited for: a tenth of the interval, for a late yes is as good as an early one while there is time, and
     * to ask again is more work for whoever was too slow; the node timeout, once there is little time.
     */
    Duration answerLimit() {
        Duration nodeTimeout = hold.parameters().nodeTimeout();
        Duration patient = Durations.part(interval(), PATIENCE_IS_ONE_IN);
        boolean hasTime = hold.leftToLoss().compareTo(interval()) > 0;
        return hasTime && patient.compareTo(nodeTimeout) > 0 ? patient : nodeTimeout;
    }

    /** Returns whether the hold has not ended since the extension was planned. */
    boolean isWanted() {
        return !hold.isOver();
    }

    /** The round that asked for the extension; the next one follows it. */
    void follow(Round round, Claim extension) {
        round.settled().thenAccept(outcome -> settle(hold.extended(round, extension, outcome)));
    }

    private void settle(Extension extension) {
        switch (extension) {
            case CONFIRMED -> extendAfter(afterConfirmation());
            case UNCONFIRMED -> extendAfter(afterFailure());
            case ENDED -> {}
        }
    }

    private synchronized Duration afterConfirmation() {
        failures = 0;
        Duration delay = again ? Duration.ZERO : interval();
        again = false;
        return delay;
    }

    private synchronized Duration afterFailure() {
        failures++;
        return shorter(hold.parameters().retry().after(failures, holds.group().random()), interval());
    }

    private Duration interval() {
        return Durations.part(hold.parameters().ttl(), RENEWALS_PER_LEASE);
    }
}
