package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Tally;
import io.holdfast.quorum.Vote;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitVoteTest {

    /**
     * Votes: g granted, r refused, A or B refused because of that holder, s stale, x failed, a number: in quarantine
     * for as many seconds.
     */
    @ParameterizedTest
    @CsvSource({
        "3, g 5 x, 5",
        "3, g 7 5, 5",
        "3, r 5 x, 5",
        "3, s 9, 9",
        "3, 5 7 9, 7",
        "3, 7 5, 7",
        "5, g 9 5 7 x, 7",
        "5, x x 5 7 9, 9",
        "1, 3, 3"
    })
    void quorumIn_quarantinesOfAMajority_isTheLastOneNeeded(int nodes, String votes, long seconds) {
        assertThat(after(nodes, votes).quorumExpectedIn()).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"3, x x 5", "3, x x x", "5, g x x x 5", "3, g x x"})
    void quorumIn_tooFewNodesAnswer_isEmpty(int nodes, String votes) {
        assertThat(after(nodes, votes).quorumExpectedIn()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "3, A A g, true",
        "3, A A, true",
        "3, A B x, false",
        "3, A B C, false",
        "3, A g x, false",
        "5, A A B A, true",
        "5, A A B B g, false",
        "1, A, true"
    })
    void hasSingleHolder_refusals_isTrueIfAMajorityReportsOneHolder(int nodes, String votes, boolean held) {
        LockTimeoutException timeout =
                new LockTimeoutException("x", outcome(nodes, votes), Duration.ZERO, Optional.empty());

        assertThat(timeout.hasSingleHolder()).isEqualTo(held);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "s s s|'x' is free, but too few nodes accepted a fencing token of this client; try again; waited 5 ms "
                        + "[",
                "s s g|'x' is free, but too few nodes accepted a fencing token of this client; try again; waited 5 ms "
                        + "[",
                "s s A|'x' is held by another; waited 5 ms [",
                "A A s|'x' is held by another; waited 5 ms, and it is held for up to 1000 ms more"
            })
    void lockTimeout_staleVotes_namesAHolderOnlyIfANodeReportsOne(String votes, String start) {
        LockTimeoutException timeout =
                new LockTimeoutException("x", outcome(3, votes), Duration.ofMillis(5), Optional.empty());

        assertThat(timeout).hasMessageStartingWith(start);
    }

    private static QuorumUnreachableException after(int nodes, String votes) {
        return new QuorumUnreachableException("x", outcome(nodes, votes), Duration.ZERO);
    }

    private static Outcome outcome(int nodes, String votes) {
        String[] replies = votes.split(" ", -1);
        List<Vote> all = IntStream.range(0, replies.length)
                .mapToObj(i -> new Vote(i, "node", reply(replies[i])))
                .toList();
        Tally tally = Tally.of(NodeSets.of(nodes));
        for (Vote vote : all) {
            tally = tally.with(vote.index(), vote.reply());
        }
        return new Outcome(tally, all);
    }

    private static Reply reply(String vote) {
        return switch (vote) {
            case "g" -> new Reply.Granted();
            case "A", "B", "C" -> new Reply.Refused(Duration.ofSeconds(1), new FencingToken(1), 0, vote);
            case "r" -> new Reply.Refused(Duration.ofSeconds(1), new FencingToken(1), 0);
            case "s" -> new Reply.Stale(new FencingToken(1));
            case "x" -> new Reply.Failed(false, "not connected");
            default -> new Reply.Quarantined(Duration.ofSeconds(Long.parseLong(vote)));
        };
    }
}
