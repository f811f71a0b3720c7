package io.holdfast.hold;

import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The latest end of one hold, whatever the nodes confirm. It can be moved. Thread-safe. */
final class HoldLimit {

    private final long grantedNanos;
    /** Null: there is no limit, as for nearly all holds. */
    private volatile @Nullable Validity end;

    private volatile boolean isMoved;
    private volatile boolean reached;

    /** Creates a limit that counts from the request of the grant; no extension of the hold goes beyond it. */
    HoldLimit(Moment requested, Duration limit, Moment granted) {
        this.end = after(requested, limit);
        this.grantedNanos = granted.nanos();
    }

    private static @Nullable Validity after(Moment from, Duration limit) {
        return limit.compareTo(Durations.FOREVER) < 0 ? new Validity(from, limit) : null;
    }

    /** Returns the time since the grant. */
    Duration heldFor(Moment now) {
        return Duration.ofNanos(now.nanos() - grantedNanos);
    }

    /** Replaces the limit by one that counts from now. Returns {@code true} if the limit before had been reached. */
    boolean move(Moment now, Duration fromNow) {
        boolean before = reached;
        reached = false;
        end = after(now, fromNow);
        isMoved = true;
        return before;
    }

    /** Returns the time until the limit. */
    Duration left(Moment now) {
        Validity current = end;
        return current == null ? Durations.FOREVER : current.left(now);
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

    /** Returns {@code true} if the hold ends before its confirmed validity does. */
    boolean cuts(Validity confirmed, Moment now) {
        return confirmed.left(now).compareTo(left(confirmed, now)) > 0;
    }

    /** Records that no further extension is allowed, so that the limit is why the hold will end. */
    void reach() {
        reached = true;
    }

    /** Returns {@code true} if the last allowed extension has been requested. */
    boolean isReached() {
        return reached;
    }
}
