package io.holdfast.hold;

import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The latest end of one hold, whatever the nodes confirm. Immutable; holds without a limit share one object.
 *
 * @param end null: there is no limit, as for nearly all holds
 * @param isReached whether the last extension that it allows was requested; if so, the limit will end the hold
 */
record HoldLimit(@Nullable Validity end, boolean isReached) {

    private static final HoldLimit NONE = new HoldLimit(null, false);

    /** Returns a limit that counts from this moment; no extension of the hold goes beyond it. */
    static HoldLimit of(Moment from, Duration length) {
        return length.compareTo(Durations.FOREVER) < 0 ? new HoldLimit(new Validity(from, length), false) : NONE;
    }

    /** Returns this limit after the request of the last extension that it allows. */
    HoldLimit reached() {
        return new HoldLimit(end, true);
    }

    /** Returns the time until the limit. */
    Duration left(Moment now) {
        return end == null ? Durations.FOREVER : end.left(now);
    }

    /** Returns the TTL of an extension that does not go beyond the limit, at least 1 ms. */
    Duration shorten(Duration ttl, Moment now) {
        return Durations.longer(Duration.ofMillis(1), Durations.shorter(ttl, left(now)));
    }

    /**
     * Returns the validity that is left. A limit is earlier than the confirmed end if it was moved, or if the lease was
     * handed over with more time than its new holder allows itself.
     */
    Duration left(Validity confirmed, Moment now) {
        return Durations.shorter(confirmed.left(now), left(now));
    }

    /** Returns {@code true} if the limit ends the hold before its confirmed validity does. */
    boolean endsBefore(Validity confirmed, Moment now) {
        return confirmed.left(now).compareTo(left(confirmed, now)) > 0;
    }
}
