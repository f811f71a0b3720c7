package io.holdfast.acquire;

import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;

/** The time that the limit of one acquisition leaves after each of its rounds. Not thread-safe. */
final class LimitWatch {

    private final LockWait wait;
    private final WaitLimit limit;
    private int splitVotes;
    private boolean staleBefore;

    LimitWatch(LockWait wait) {
        this.wait = wait;
        this.limit = wait.limit();
    }

    /** Returns the time within which another attempt may begin; not positive: none. */
    Duration left(Outcome outcome, Moment now) {
        return exceedsLimit(outcome) ? wait.parameters().ttl() : limit.left(wait.waited(now));
    }

    /** Returns {@code true} if an attempt beyond the limit follows: after a first stale fence or few split votes. */
    private boolean exceedsLimit(Outcome outcome) {
        boolean split = isSplit(outcome) && splitVotes < limit.splitVotes();
        splitVotes += split ? 1 : 0;
        return split || (outcome.verdict() == Verdict.STALE && !staleBefore);
    }

    /** An attempt of this client, in this acquisition or another, may have the lock, if its withdrawal is late. */
    private boolean isSplit(Outcome outcome) {
        return outcome.isSplit()
                || (outcome.verdict() == Verdict.REFUSED && outcome.isHeldBy(wait.group()::isWithdrawing));
    }

    /** Returns {@code true} if the fence of this round was too small, and that of the round before was not. */
    boolean isFirstStale(Outcome outcome) {
        boolean before = staleBefore;
        staleBefore = outcome.verdict() == Verdict.STALE;
        return staleBefore && !before;
    }
}
