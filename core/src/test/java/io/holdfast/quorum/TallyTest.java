package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sequence of replies for every number of nodes from 1 to 7. */
class TallyTest {

    private static final List<Reply> REPLIES = List.of(
            Reply.GRANTED,
            new Reply.Refused(Duration.ofSeconds(1), FencingToken.NONE, 0),
            new Reply.Stale(FencingToken.NONE),
            Reply.unknown("silent"));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void verdict_everyCombination_followsFromTheCounts(int nodes) {
        eachSequence(nodes, replies -> {
            Tally tally = count(nodes, replies);
            long yes = granted(replies);
            int missing = nodes - replies.size();
            if (2 * yes > nodes) {
                assertThat(tally.verdict()).isEqualTo(Verdict.GRANTED);
            } else if (2 * (yes + missing) > nodes || mayBecomeUnreachable(nodes, replies)) {
                assertThat(tally.verdict()).isEqualTo(Verdict.UNDECIDED);
            } else {
                assertThat(tally.verdict()).isEqualTo(expectedFailure(nodes, replies));
            }
        });
    }

    /** Rows 1 and 4 of the known faults: a tie settles, and the majority is one of the configured nodes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void verdict_allNodesAnswered_isNeverUndecided(int nodes) {
        eachSequence(nodes, replies -> {
            if (replies.size() == nodes) {
                assertThat(count(nodes, replies).verdict()).isNotEqualTo(Verdict.UNDECIDED);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void verdict_onceGrantedOrImpossible_neverChanges(int nodes) {
        eachSequence(nodes, replies -> {
            Verdict before = count(nodes, replies).verdict();
            if (replies.size() < nodes && before != Verdict.UNDECIDED) {
                for (Reply next : REPLIES) {
                    Verdict after =
                            count(nodes, replies).with(replies.size(), next).verdict();
                    assertThat(after == Verdict.GRANTED).isEqualTo(before == Verdict.GRANTED);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void isDenied_everyCombination_isTrueIfNoMajorityIsPossible(int nodes) {
        eachSequence(nodes, replies -> {
            long refused = replies.stream()
                    .filter(reply -> reply instanceof Reply.Refused)
                    .count();
            boolean noMajorityLeft = 2 * (nodes - refused) <= nodes;
            assertThat(count(nodes, replies).isDenied()).isEqualTo(noMajorityLeft);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void with_secondVoteOfANodeOrAForeignVote_isRefused(int nodes) {
        Tally one = Tally.of(NodeSets.of(nodes)).with(0, Reply.GRANTED);

        assertThatThrownBy(() -> one.with(0, Reply.GRANTED)).hasMessageContaining("voted twice");
        assertThatThrownBy(() -> one.with(nodes, Reply.GRANTED)).hasMessageContaining("not configured");
    }

    /** Returns {@code true} if it depends on the missing votes whether a majority of the nodes answers. */
    private static boolean mayBecomeUnreachable(int nodes, List<Reply> replies) {
        long failed =
                replies.stream().filter(reply -> reply instanceof Reply.Failed).count();
        boolean majorityAnswered = 2 * (replies.size() - failed) > nodes;
        boolean majorityFailed = 2 * (nodes - failed) <= nodes;
        return !majorityAnswered && !majorityFailed;
    }

    private static Verdict expectedFailure(int nodes, List<Reply> replies) {
        long failed =
                replies.stream().filter(reply -> reply instanceof Reply.Failed).count();
        boolean refused = replies.stream().anyMatch(reply -> reply instanceof Reply.Refused);
        boolean stale = replies.stream().anyMatch(reply -> reply instanceof Reply.Stale);
        if (2 * (nodes - failed) <= nodes) {
            return Verdict.UNREACHABLE;
        }
        return stale && !refused ? Verdict.STALE : Verdict.REFUSED;
    }

    private static long granted(List<Reply> replies) {
        return replies.stream().filter(reply -> reply instanceof Reply.Granted).count();
    }

    private static Tally count(int nodes, List<Reply> replies) {
        Tally tally = Tally.of(NodeSets.of(nodes));
        for (int i = 0; i < replies.size(); i++) {
            tally = tally.with(i, replies.get(i));
        }
        return tally;
    }

    private static void eachSequence(int nodes, Consumer<List<Reply>> check) {
        extend(new ArrayList<>(), nodes, check);
    }

    private static void extend(List<Reply> sequence, int length, Consumer<List<Reply>> check) {
        check.accept(List.copyOf(sequence));
        if (sequence.size() == length) {
            return;
        }
        for (Reply reply : REPLIES) {
            sequence.add(reply);
            extend(sequence, length, check);
            sequence.remove(sequence.size() - 1);
        }
    }
}
