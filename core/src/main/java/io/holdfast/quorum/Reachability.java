package io.holdfast.quorum;

import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A record of the time since which too few nodes have answered this client. Waiters of the local wait queues use it,
 * since they send nothing to the nodes. Thread-safe.
 */
public final class Reachability {

    private volatile @Nullable Moment unreachableSince;

    /** Records the outcome of a round. */
    public void learn(Outcome outcome, Moment now) {
        if (!outcome.isUnreachable()) {
            unreachableSince = null;
        } else if (unreachableSince == null) {
            unreachableSince = now;
        }
    }

    /** Returns the time since too few nodes answer, but at most since the given moment; null if enough nodes answer. */
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
