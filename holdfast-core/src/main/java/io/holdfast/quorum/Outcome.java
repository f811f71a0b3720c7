package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A round that is decided.
 *
 * @param tally the votes that decided it
 * @param votes the same votes by node, in the order of the nodes
 */
public record Outcome(Tally tally, List<Vote> votes) {

    public Verdict verdict() {
        return tally.verdict();
    }

    /** The fences that the nodes told. */
    public Stream<FencingToken> fences() {
        return votes.stream().map(Vote::reply).flatMap(reply -> {
            if (reply instanceof Reply.Refused refused) {
                return Stream.of(refused.fence());
            }
            return reply instanceof Reply.Stale stale ? Stream.of(stale.fence()) : Stream.empty();
        });
    }

    /**
     * What a majority takes for the present, where the proposed fencing token was too far above it; empty if that is not why
     * there is no majority.
     */
    public Optional<FencingToken> majorityPresent() {
        return votes.stream()
                .map(vote -> acceptable(vote.reply()))
                .sorted(Comparator.reverseOrder())
                .skip(tally.majority() - 1L)
                .findFirst()
                .filter(token -> !token.equals(FencingToken.NONE) && !token.equals(FencingToken.GREATEST));
    }

    private static FencingToken acceptable(Reply reply) {
        if (reply instanceof Reply.Ahead ahead) {
            return ahead.present();
        }
        return reply instanceof Reply.Failed || reply instanceof Reply.Quarantined
                ? FencingToken.NONE
                : FencingToken.GREATEST;
    }

    /** The nodes' clock, in microseconds since 1970: the middle one of those that were told. Empty if none was. */
    public OptionalLong clockMicros() {
        long[] told = votes.stream()
                .mapToLong(vote -> vote.reply() instanceof Reply.Refused refused ? refused.clockMicros() : 0)
                .filter(micros -> micros > 0)
                .sorted()
                .toArray();
        return told.length == 0 ? OptionalLong.empty() : OptionalLong.of(told[told.length / 2]);
    }

    /** Whether too few nodes answer, for another reason than a quarantine, which ends by itself. */
    public boolean isUnreachable() {
        return verdict() == Verdict.UNREACHABLE && !isQuarantine();
    }

    /** Whether a majority would answer, but for nodes that are in quarantine and will vote again. */
    public boolean isQuarantine() {
        long quarantined = votes.stream()
                .filter(vote -> vote.reply() instanceof Reply.Quarantined)
                .count();
        return verdict() == Verdict.UNREACHABLE && tally.nodes() - tally.failed() + quarantined >= tally.majority();
    }

    /**
     * When the lock will be free on a majority if nobody extends it: the majority-th smallest time left. Empty when too few
     * nodes answered to know.
     */
    public Optional<Duration> freeIn() {
        return onMajority(votes.stream()
                .map(Vote::reply)
                .filter(reply -> !(reply instanceof Reply.Failed || reply instanceof Reply.Quarantined))
                .map(reply -> reply instanceof Reply.Refused refused ? refused.timeLeft() : Duration.ZERO));
    }

    /** When a majority will vote, where only nodes in quarantine are missing. Empty if too few nodes answer at all. */
    public Optional<Duration> quorumIn() {
        return onMajority(votes.stream()
                .map(Vote::reply)
                .filter(reply -> !(reply instanceof Reply.Failed))
                .map(reply -> reply instanceof Reply.Quarantined quarantined ? quarantined.timeLeft() : Duration.ZERO));
    }

    private Optional<Duration> onMajority(Stream<Duration> times) {
        return times.sorted().skip(tally.majority() - 1L).findFirst();
    }

    /** Whether several clients asked at the same moment and shared the votes, so that none of them may have a majority. */
    public boolean isSplit() {
        return verdict() == Verdict.REFUSED && !hasSingleHolder();
    }

    /** Whether a majority spoke of one and the same holder. */
    public boolean hasSingleHolder() {
        return votes.stream()
                .map(Vote::reply)
                .filter(Reply.Refused.class::isInstance)
                .map(reply -> ((Reply.Refused) reply).holder())
                .collect(Collectors.groupingBy(holder -> holder, Collectors.counting()))
                .values()
                .stream()
                .anyMatch(count -> count >= tally.majority());
    }
}
