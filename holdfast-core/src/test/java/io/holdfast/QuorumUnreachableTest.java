package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumUnreachableTest {

    /** g granted, r refused, s stale, x failed, a number: in quarantine for so many seconds. */
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
    void untilVotes_quarantinesOfAMajority_isTheLastThatIsNeeded(int nodes, String votes, long seconds) {
        assertThat(after(nodes, votes).untilVotes()).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"3, x x 5", "3, x x x", "5, g x x x 5", "3, g x x"})
    void untilVotes_tooFewNodesAnswer_isUnknown(int nodes, String votes) {
        assertThat(after(nodes, votes).untilVotes()).isEmpty();
    }

    private static QuorumUnreachableException after(int nodes, String votes) {
        List<Vote> all = Arrays.stream(votes.split(" ", -1))
                .map(vote -> new Vote("node", reply(vote)))
                .toList();
        return new QuorumUnreachableException("x", nodes, Duration.ZERO, all);
    }

    private static Reply reply(String vote) {
        return switch (vote) {
            case "g" -> new Reply.Granted();
            case "r" -> new Reply.Refused(Duration.ofSeconds(1), new FencingToken(1), 0);
            case "s" -> new Reply.Stale(new FencingToken(1));
            case "x" -> new Reply.Failed(false, "not connected");
            default -> new Reply.Quarantined(Duration.ofSeconds(Long.parseLong(vote)));
        };
    }
}
