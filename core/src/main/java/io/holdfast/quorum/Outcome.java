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
import java.util.function.Function;
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

    /**
     * Returns {@code true} if another owner holds the lock, and no node has granted it, except those of a set whose
     * majority has.
     */
    public boolean isRefusedByAll() {
        return verdict() == Verdict.REFUSED && (tally.granted() & ~grantedSets()) == 0;
    }

    /** Returns the nodes of the sets that have granted the claim; see {@link Tally#grantedSets}. */
    public long grantedSets() {
        return tally.grantedSets();
    }

    /**
     * Returns {@code true} if the claim, which has this fence, stands on a majority: all have refused it, and their
     * fences are below its own.
     */
    public boolean standsWith(FencingToken fence) {
        long below = nodes(vote -> accepted(vote.reply()).filter(fence::isAbove).isPresent());
        return isRefusedByAll() && tally.sets().isMajority(below | grantedSets());
    }

    /** Returns the fences that the nodes have reported. */
    public Stream<FencingToken> fences() {
        return votes.stream().flatMap(vote -> accepted(vote.reply()).stream());
    }

    private static Optional<FencingToken> accepted(Reply reply) {
        if (reply instanceof Reply.Refused refused) {
            return Optional.of(refused.fence());
        }
        return reply instanceof Reply.Stale stale ? Optional.of(stale.fence()) : Optional.empty();
    }

    /**
     * Returns the present of a majority if the proposed fence was too far above it; empty if there is no majority for
     * another reason.
     */
    public Optional<FencingToken> majorityPresent() {
        if (nodes(vote -> vote.reply() instanceof Reply.Ahead) == 0) {
            return Optional.empty();
        }
        return onMajority(vote -> Optional.of(present(vote.reply())), Comparator.reverseOrder())
                .filter(token -> !token.equals(FencingToken.NONE) && !token.equals(FencingToken.GREATEST));
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
     * Returns the time after which the lock is free on a majority if it is not extended. Empty if too few nodes have
     * answered.
     */
    public Optional<Duration> freeIn() {
        return onMajority(vote -> freeIn(vote.reply()), Comparator.naturalOrder());
    }

    private static Optional<Duration> freeIn(Reply reply) {
        if (reply instanceof Reply.Failed || reply instanceof Reply.Quarantined) {
            return Optional.empty();
        }
        return Optional.of(reply instanceof Reply.Refused refused ? refused.timeLeft() : Duration.ZERO);
    }

    /**
     * Returns the time after which a majority votes if only quarantined nodes are missing; empty if too few nodes
     * answer at all.
     */
    public Optional<Duration> quorumIn() {
        return onMajority(vote -> votesIn(vote.reply()), Comparator.naturalOrder());
    }

    private static Optional<Duration> votesIn(Reply reply) {
        if (reply instanceof Reply.Failed) {
            return Optional.empty();
        }
        return Optional.of(reply instanceof Reply.Quarantined quarantined ? quarantined.timeLeft() : Duration.ZERO);
    }

    /** Returns {@code true} if a majority has answered, be it that it is in quarantine. */
    public boolean isAnswered() {
        return tally.sets().isMajority(nodes(vote -> !(vote.reply() instanceof Reply.Failed)));
    }

    /** Returns {@code true} if too few nodes can vote until an administrator changes something. */
    public boolean isUnfit() {
        long unfit = nodes(vote -> vote.reply() instanceof Reply.Failed failed && failed.lasting());
        return verdict() == Verdict.UNREACHABLE && !tally.sets().isMajority(~unfit);
    }

    /**
     * Returns the first value, in this order, at which the nodes so far are a majority; empty if too few nodes have a
     * value.
     */
    private <T> Optional<T> onMajority(Function<Vote, Optional<T>> value, Comparator<? super T> order) {
        record Valued<V>(Vote vote, V value) {}
        List<Valued<T>> ordered = votes.stream()
                .flatMap(vote -> value.apply(vote).map(known -> new Valued<>(vote, known)).stream())
                .sorted(Comparator.comparing(Valued::value, order))
                .toList();
        long reached = 0;
        for (Valued<T> next : ordered) {
            reached |= NodeSets.node(next.vote().index());
            if (tally.sets().isMajority(reached)) {
                return Optional.of(next.value());
            }
        }
        return Optional.empty();
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

    /** Returns {@code true} if a majority of at least one set has reported the same holder. */
    public boolean hasSingleHolder() {
        return nodes(vote -> vote.reply() instanceof Reply.Refused refused && isHolder(refused.holder())) != 0;
    }

    private boolean isHolder(String holder) {
        long reports = nodes(vote -> vote.reply() instanceof Reply.Refused refused
                && refused.holder().equals(holder));
        return tally.sets().setsGrantedBy(reports) != 0;
    }

    private long nodes(Predicate<Vote> chosen) {
        long nodes = 0;
        for (Vote vote : votes) {
            nodes |= chosen.test(vote) ? NodeSets.node(vote.index()) : 0;
        }
        return nodes;
    }
}
