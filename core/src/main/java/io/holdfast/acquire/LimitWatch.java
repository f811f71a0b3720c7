package io.holdfast.acquire;

import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time that the limit of one acquisition leaves after each of its rounds. Not thread-safe. */
final class LimitWatch {

    /**
     * The most rounds beyond the limit if the other set of nodes refuses what one has granted. Another client of both
     * sets may have been granted that at the same moment; or a client of that set alone holds the lock.
     */
    private static final int MOST_TIES = 2;

    /** Long enough to change the password or the rights of several nodes, one after the other. */
    private static final Duration LONGEST_UNFIT = Duration.ofSeconds(10);

    private final LockWait wait;
    private final WaitLimit limit;
    private int splitVotes;
    private boolean staleBefore;
    private Duration unfitFor = Duration.ZERO;
    private @Nullable Moment unfitAt;

    LimitWatch(LockWait wait) {
        this.wait = wait;
        this.limit = wait.limit();
    }

    /** Returns the time within which another attempt may begin; not positive: none. */
    Duration left(Outcome outcome, Moment now) {
        if (isInVain(outcome, now)) {
            return Duration.ZERO;
        }
        return exceedsLimit(outcome) ? wait.parameters().ttl() : limit.left(wait.waited(now));
    }

    /**
     * Returns {@code true} if rounds have shown for a time that only an administrator can help, without one that a
     * majority has answered. A round that fails for another reason, such as a lost connection, shows neither.
     */
    private boolean isInVain(Outcome outcome, Moment now) {
        Moment before = unfitAt;
        unfitAt = outcome.isUnfit() ? now : null;
        if (outcome.isAnswered()) {
            unfitFor = Duration.ZERO;
        } else if (before != null && unfitAt != null) {
            unfitFor = unfitFor.plus(now.since(before));
        }
        return unfitAt != null && unfitFor.compareTo(LONGEST_UNFIT) >= 0;
    }

    /** Returns {@code true} if an attempt beyond the limit follows: after a first stale fence or few split votes. */
    private boolean exceedsLimit(Outcome outcome) {
        boolean split = splitVotes < mostSplitVotes(outcome);
        splitVotes += split ? 1 : 0;
        return split || (outcome.verdict() == Verdict.STALE && !staleBefore);
    }

    private int mostSplitVotes(Outcome outcome) {
        if (isSplit(outcome)) {
            return limit.splitVotes();
        }
        return isTied(outcome) ? Math.min(MOST_TIES, limit.splitVotes()) : 0;
    }

    /** An attempt of this client, in this acquisition or another, may have the lock, if its withdrawal is late. */
    private boolean isSplit(Outcome outcome) {
        return outcome.isSplit()
                || (outcome.verdict() == Verdict.REFUSED && outcome.isHeldBy(wait.group()::isWithdrawing));
    }

    private static boolean isTied(Outcome outcome) {
        return outcome.verdict() == Verdict.REFUSED && outcome.grantedSets() != 0;
    }

    /** Returns {@code true} if the fence of this round was too small, and that of the round before was not. */
    boolean isFirstStale(Outcome outcome) {
        boolean before = staleBefore;
        staleBefore = outcome.verdict() == Verdict.STALE;
        return staleBefore && !before;
    }
}
