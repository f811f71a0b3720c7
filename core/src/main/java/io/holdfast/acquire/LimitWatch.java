package io.holdfast.acquire;

import io.holdfast.lease.Owner;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** The time that the limit of one acquisition leaves after each of its rounds. Not thread-safe. */
final class LimitWatch {

    private final LockWait wait;
    private final WaitLimit limit;
    private int splitVotes;
    /** The marks of the owners of all attempts, if the acquisition does not wait for a holder. */
    private final Set<String> marks;

    private boolean staleBefore;

    LimitWatch(LockWait wait) {
        this.wait = wait;
        this.limit = wait.limit();
        this.marks = limit.isWaiting() ? Set.of() : new HashSet<>();
    }

    /** Records the beginning of an attempt of this owner. */
    void began(Owner owner) {
        if (!limit.isWaiting()) {
            marks.add(owner.mark());
        }
    }

    /** Returns the time within which another attempt may begin; not positive: none. */
    Duration left(Outcome outcome, Moment now) {
        return exceedsLimit(outcome) ? wait.parameters().ttl() : limit.left(wait.waited(now));
    }

    /**
     * Returns {@code true} if an attempt beyond the limit follows: after a first stale fence or few split votes. An
     * earlier attempt may have split them, if its withdrawal has not arrived yet.
     */
    private boolean exceedsLimit(Outcome outcome) {
        boolean split = (outcome.isSplit() || outcome.isHeldByAny(marks)) && splitVotes < limit.splitVotes();
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
