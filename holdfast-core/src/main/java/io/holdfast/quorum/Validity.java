package io.holdfast.quorum;

import io.holdfast.time.Moment;
import java.time.Duration;

/**
 * How long a granted lease may be relied on: {@code ttl − elapsed − drift}, where the elapsed time counts from before the
 * first claim was sent, since a node may have started its clock at any time after that.
 *
 * @param from the moment before the first send
 * @param length how long from then on; may be negative
 */
public record Validity(Moment from, Duration length) {

    public static Validity of(Moment beforeSend, Duration ttl, Drift drift) {
        return new Validity(beforeSend, ttl.minus(drift.of(ttl)));
    }

    /** The time left at a moment; negative by how much it is over. */
    public Duration left(Moment now) {
        return length.minus(now.since(from));
    }

    /** Of two confirmed validities of one lease the one that lasts longer: no node ever shortens a lease. */
    public Validity orLonger(Validity other, Moment now) {
        return other.left(now).compareTo(left(now)) > 0 ? other : this;
    }
}
