package io.holdfast.quorum;

import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Since when too few nodes have answered the attempts of this client. Waiters that are queued in the process learn it from here, since
 * they ask no node themselves. Thread-safe.
 */
public final class Reachability {

    private volatile @Nullable Moment unreachableSince;

    /** Takes note of how a round ended. */
    public void learn(Outcome outcome, Moment now) {
        if (!outcome.isUnreachable()) {
            unreachableSince = null;
        } else if (unreachableSince == null) {
            unreachableSince = now;
        }
    }

    /** For how long too few nodes have answered, counted from that moment at the earliest; null: enough of them answer. */
    @Nullable
    public Duration unreachableFor(Moment from, Moment now) {
        Moment since = unreachableSince;
        if (since == null) {
            return null;
        }
        Duration whole = now.surelySince(since);
        Duration own = now.surelySince(from);
        return whole.compareTo(own) < 0 ? whole : own;
    }
}
