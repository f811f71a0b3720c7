package io.holdfast.quorum;

import static io.holdfast.quorum.Durations.shorter;

import io.holdfast.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The watchdog: extends a hold every third of its lease, again after a short random delay where it was not confirmed, and
 * for no longer than {@code holdLimit} allows. One extension is under way at a time, and none begins once the hold has
 * ended.
 */
public final class Renewal {

    private static final int RENEWALS_PER_LEASE = 3;

    private final Quorum quorum;
    private final Hold hold;
    private int failures;
    private volatile Time.@Nullable Timer next;

    private Renewal(Quorum quorum, Hold hold) {
        this.quorum = quorum;
        this.hold = hold;
    }

    /** Renews the hold until it ends. */
    public static void start(Quorum quorum, Hold hold) {
        Renewal renewal = new Renewal(quorum, hold);
        renewal.scheduleNext(renewal.interval());
        hold.ended().thenRun(renewal::cancelNext);
    }

    private void renew() {
        Duration extensible = hold.extensible();
        Duration ttl = shorter(hold.terms().ttl(), extensible);
        if (ttl.equals(extensible)) {
            hold.limited();
        }
        if (ttl.compareTo(hold.remaining()) > 0) {
            hold.extend(ttl).thenAccept(this::settle);
        }
    }

    private void settle(Hold.Extension extension) {
        switch (extension) {
            case CONFIRMED -> {
                failures = 0;
                scheduleNext(interval());
            }
            case UNCONFIRMED -> {
                failures++;
                scheduleNext(shorter(hold.terms().retry().after(failures, quorum.random()), interval()));
            }
            case ENDED -> {}
        }
    }

    private void scheduleNext(Duration delay) {
        next = quorum.time().schedule(delay, this::renew);
        if (hold.ended().isDone()) {
            cancelNext();
        }
    }

    private void cancelNext() {
        Time.Timer timer = next;
        if (timer != null) {
            timer.cancel();
        }
    }

    private Duration interval() {
        return hold.terms().ttl().dividedBy(RENEWALS_PER_LEASE);
    }
}
