package io.holdfast.quorum;

import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;

/**
 * The time for which a granted lease may be relied on: {@code ttl − elapsed − drift}. The elapsed time counts from
 * before the first claim was sent, since a node may have started its clock at any time after that. Immutable.
 *
 * @param from the moment before the first claim was sent
 * @param length the validity from that moment; may be negative
 */
public record Validity(Moment from, Duration length) {

    private static final int PARTS = 3;

    /** Returns the validity of a lease with this TTL. */
    public static Validity of(Moment beforeSend, Duration ttl, Drift drift) {
        return new Validity(beforeSend, ttl.minus(drift.of(ttl)));
    }

    /** Returns {@code true} for the grant of a standing claim, which nodes keep for a shorter time than its TTL. */
    public boolean isOfStandingClaim(LockParameters parameters) {
        return length.compareTo(of(from, parameters.ttl(), parameters.drift()).length) < 0;
    }

    /** Returns the time left at a moment; negative after the end. */
    public Duration left(Moment now) {
        return length.minus(now.since(from));
    }

    /** Returns {@code true} if more than the margin is left. */
    public boolean isAbove(Duration margin, Moment now) {
        return left(now).compareTo(margin) > 0;
    }

    /**
     * Returns {@code true} if a third of the validity is left besides the margin. A lease that is handed over with less
     * would not outlive a pause for which a renewed lease is made.
     */
    public boolean isAboveThird(Duration margin, Moment now) {
        return isAbove(margin.plus(Durations.part(length, PARTS)), now);
    }

    /** Returns the longer of two confirmed validities of one lease, since no node ever shortens a lease. */
    public Validity orLonger(Validity other, Moment now) {
        return other.left(now).compareTo(left(now)) > 0 ? other : this;
    }
}
