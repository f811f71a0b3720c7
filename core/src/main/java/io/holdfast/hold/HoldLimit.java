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
 * @param isMoved whether this limit has replaced that of the grant
 * @param isReached whether the last extension that it allows was requested; if so, the limit will end the hold
 */
record HoldLimit(@Nullable Validity end, boolean isMoved, boolean isReached) {

    private static final HoldLimit NONE = new HoldLimit(null, false, false);

    /** Returns a limit that counts from the request of the grant; no extension of the hold goes beyond it. */
    static HoldLimit of(Moment requested, Duration length) {
        Validity end = after(requested, length);
        return end == null ? NONE : new HoldLimit(end, false, false);
    }

    /** Returns a limit that replaces another one and counts from now. */
    static HoldLimit moved(Moment now, Duration fromNow) {
        return new HoldLimit(after(now, fromNow), true, false);
    }

    private static @Nullable Validity after(Moment from, Duration length) {
        return length.compareTo(Durations.FOREVER) < 0 ? new Validity(from, length) : null;
    }

    /** Returns this limit after the request of the last extension that it allows. */
    HoldLimit reached() {
        return new HoldLimit(end, isMoved, true);
    }

    /** Returns the time until the limit. */
    Duration left(Moment now) {
        return end == null ? Durations.FOREVER : end.left(now);
    }

    /** Returns the TTL of an extension that does not go beyond the limit, at least 1 ms. */
    Duration shorten(Duration ttl, Moment now) {
        return Durations.longer(Duration.ofMillis(1), Durations.shorter(ttl, left(now)));
    }

    /** Returns the validity that is left: only a limit that was moved can be earlier than a confirmed end. */
    Duration left(Validity confirmed, Moment now) {
        Duration left = confirmed.left(now);
        return isMoved ? Durations.shorter(left, left(now)) : left;
    }

    /** Returns {@code true} if the limit ends the hold before its confirmed validity does. */
    boolean endsBefore(Validity confirmed, Moment now) {
        return confirmed.left(now).compareTo(left(confirmed, now)) > 0;
    }
}
