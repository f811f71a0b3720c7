package io.holdfast.acquire;

import io.holdfast.lease.Owner;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The time that the limits of one acquisition leave after each of its rounds. Not thread-safe. */
final class LimitWatch {

    private final WaitLimits limits;
    private final Moment since;
    private final Duration oneMore;
    private int splitVotes;
    /** The marks of the owners of all attempts, if the acquisition does not wait for a holder. */
    private final Set<String> marks = new HashSet<>();

    private boolean staleBefore;
    private boolean answered;
    private @Nullable Moment unreachableSince;

    /**
     * Creates a watch.
     *
     * @param since the moment from which the limits count
     * @param oneMore the time that is left for a round beyond the limits
     */
    LimitWatch(WaitLimits limits, Moment since, Duration oneMore) {
        this.limits = limits;
        this.since = since;
        this.oneMore = oneMore;
    }

    /** Records the beginning of an attempt of this owner. */
    void began(Owner owner) {
        if (!limits.isWaiting()) {
            marks.add(owner.mark());
        }
    }

    /**
     * Returns the time within which another attempt may begin; not positive: none. A grant that came too late for a
     * lease counts as an answer that did not come.
     */
    Duration left(Outcome outcome, Moment now) {
        answered |= outcome.verdict() != Verdict.UNREACHABLE;
        if (limits.failFast() && !answered && outcome.isHopeless()) {
            return Duration.ZERO;
        }
        if (!outcome.isUnreachable() && outcome.verdict() != Verdict.GRANTED) {
            unreachableSince = null;
        } else if (unreachableSince == null) {
            unreachableSince = now;
        }
        if (deservesAnother(outcome)) {
            return oneMore;
        }
        Duration waited = waited(now);
        Moment unreachable = unreachableSince;
        return outcome.isQuarantine()
                ? limits.leftInQuarantine(waited)
                : limits.left(waited, unreachable == null ? null : now.surelySince(unreachable));
    }

    /** Returns the time for which the acquisition has waited. */
    Duration waited(Moment now) {
        return now.surelySince(since);
    }

    /**
     * Returns {@code true} if an attempt beyond the limits follows: after a first stale fence or few split votes. An
     * earlier attempt may have split them, if its withdrawal has not arrived yet.
     */
    private boolean deservesAnother(Outcome outcome) {
        boolean split = (outcome.isSplit() || outcome.isHeldByAny(marks)) && splitVotes < limits.splitVotes();
        splitVotes += split ? 1 : 0;
        return split || (outcome.verdict() == Verdict.STALE && !staleBefore);
    }

    /** Returns {@code true} if the fence of this round was too small, and that of the round before was not. */
    boolean isFirstStale(Outcome outcome) {
        boolean before = staleBefore;
        staleBefore = outcome.verdict() == Verdict.STALE;
        return staleBefore && !before;
    }
}
