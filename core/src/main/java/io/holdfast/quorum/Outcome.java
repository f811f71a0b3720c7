package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The result of a round.
 *
 * @param tally the count of the votes that decided the round
 * @param votes these votes, in the order of the nodes
 */
public record Outcome(Tally tally, List<Vote> votes) {

    /** Returns the decision of the votes. */
    public Verdict verdict() {
        return tally.verdict();
    }

    /** Returns {@code true} if a majority has granted the claim. */
    public boolean isGranted() {
        return verdict() == Verdict.GRANTED;
    }

    /** Returns what the round means if it was a release. */
    public ReleaseOutcome released() {
        if (isGranted()) {
            return ReleaseOutcome.RELEASED;
        }
        return tally.isDenied() ? ReleaseOutcome.NOT_HELD : ReleaseOutcome.UNCONFIRMED;
    }

    /** Returns {@code true} if another owner holds the lock, and no node has granted it. */
    public boolean isRefusedByAll() {
        return verdict() == Verdict.REFUSED && tally.granted() == 0;
    }

    /** Returns the fences that the nodes have reported. */
    public Stream<FencingToken> fences() {
        return votes.stream().map(Vote::reply).flatMap(reply -> {
            if (reply instanceof Reply.Refused refused) {
                return Stream.of(refused.fence());
            }
            return reply instanceof Reply.Stale stale ? Stream.of(stale.fence()) : Stream.empty();
        });
    }

    /**
     * Returns the present of a majority if the proposed fence was too far above it; empty if there is no majority for
     * another reason.
     */
    public Optional<FencingToken> majorityPresent() {
        if (!isAheadSomewhere()) {
            return Optional.empty();
        }
        return votes.stream()
                .map(vote -> present(vote.reply()))
                .sorted(Comparator.reverseOrder())
                .skip(tally.majority() - 1L)
                .findFirst()
                .filter(token -> !token.equals(FencingToken.NONE) && !token.equals(FencingToken.GREATEST));
    }

    private boolean isAheadSomewhere() {
        for (Vote vote : votes) {
            if (vote.reply() instanceof Reply.Ahead) {
                return true;
            }
        }
        return false;
    }

    private static FencingToken present(Reply reply) {
        if (reply instanceof Reply.Ahead ahead) {
            return ahead.present();
        }
        return reply instanceof Reply.Failed || reply instanceof Reply.Quarantined
                ? FencingToken.NONE
                : FencingToken.GREATEST;
    }

    /**
     * Returns the median of the clocks that the nodes have reported, in microseconds since 1970; empty if none was
     * reported.
     */
    public OptionalLong clockMicros() {
        long[] clocks = new long[votes.size()];
        int known = 0;
        for (Vote vote : votes) {
            if (vote.reply() instanceof Reply.Refused refused && refused.clockMicros() > 0) {
                clocks[known++] = refused.clockMicros();
            }
        }
        Arrays.sort(clocks, 0, known);
        return known == 0 ? OptionalLong.empty() : OptionalLong.of(clocks[known / 2]);
    }

    /**
     * Returns the time after which the lock is free on a majority if it is not extended: the majority-th smallest time
     * left. Empty if too few nodes have answered.
     */
    public Optional<Duration> freeIn() {
        return onMajority(votes.stream()
                .map(Vote::reply)
                .filter(reply -> !(reply instanceof Reply.Failed || reply instanceof Reply.Quarantined))
                .map(reply -> reply instanceof Reply.Refused refused ? refused.timeLeft() : Duration.ZERO));
    }

    /**
     * Returns the time after which a majority votes if only quarantined nodes are missing; empty if too few nodes
     * answer at all.
     */
    public Optional<Duration> quorumIn() {
        return onMajority(votes.stream()
                .map(Vote::reply)
                .filter(reply -> !(reply instanceof Reply.Failed))
                .map(reply -> reply instanceof Reply.Quarantined quarantined ? quarantined.timeLeft() : Duration.ZERO));
    }

    private Optional<Duration> onMajority(Stream<Duration> times) {
        return times.sorted().skip(tally.majority() - 1L).findFirst();
    }

    /** Returns {@code true} if concurrent clients have split the votes, so that none of them may have a majority. */
    public boolean isSplit() {
        return verdict() == Verdict.REFUSED && !hasSingleHolder();
    }

    /** Returns {@code true} if a node refused the claim because of a holder with a mark of this kind. */
    public boolean isHeldBy(Predicate<String> marked) {
        return votes.stream()
                .anyMatch(vote -> vote.reply() instanceof Reply.Refused refused && marked.test(refused.holder()));
    }

    /** Returns {@code true} if a majority has reported the same holder. */
    public boolean hasSingleHolder() {
        for (Vote vote : votes) {
            if (vote.reply() instanceof Reply.Refused refused && reports(refused.holder()) >= tally.majority()) {
                return true;
            }
        }
        return false;
    }

    private int reports(String holder) {
        int reports = 0;
        for (Vote vote : votes) {
            boolean same = vote.reply() instanceof Reply.Refused refused
                    && refused.holder().equals(holder);
            reports += same ? 1 : 0;
        }
        return reports;
    }
}
