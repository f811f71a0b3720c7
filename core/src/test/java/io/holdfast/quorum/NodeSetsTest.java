package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.Majority;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All groups of nodes of small sets. */
class NodeSetsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void isMajority_anyTwoDecisions_haveANodeInCommon(int nodes) {
        NodeSets sets = NodeSets.of(nodes);

        groups(nodes)
                .filter(sets::isMajority)
                .forEach(one -> groups(nodes)
                        .filter(sets::isMajority)
                        .forEach(other -> assertThat(one & other).isNotZero()));
    }

    /** A client of both sets excludes clients of either. */
    @ParameterizedTest
    @CsvSource({"1, 3", "3, 1", "3, 3", "2, 3", "5, 3", "3, 5", "4, 4"})
    void isMajority_decisionOfBothSets_hasANodeInCommonWithEachDecision(int present, int previous) {
        NodeSets both = NodeSets.of(present).withPrevious(previous);
        NodeSets one = NodeSets.of(present);
        NodeSets other = NodeSets.of(previous);

        groups(present + previous).filter(both::isMajority).forEach(joint -> {
            groups(present)
                    .filter(one::isMajority)
                    .forEach(alone -> assertThat(joint & alone).isNotZero());
            groups(previous)
                    .filter(other::isMajority)
                    .forEach(alone -> assertThat(joint & (alone << present)).isNotZero());
        });
    }

    /** One node less of either set is too few. */
    @Test
    void isMajority_majorityOfAllButNotOfEach_isFalse() {
        NodeSets sets = NodeSets.of(3).withPrevious(3);

        assertThat(sets.isMajority(0b011_011)).isTrue();
        assertThat(sets.isMajority(0b111_001)).isFalse();
        assertThat(sets.isMajority(0b001_111)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "4, 0", "5, 0", "1, 3", "3, 3", "4, 2"})
    void intersectsEachMajority_everyGroup_isTrueIfEachMajorityOfEachSetContainsOne(int present, int previous) {
        NodeSets sets = NodeSets.of(present).withPrevious(previous);
        long first = (1L << present) - 1;
        long second = sets.all() & ~first;

        groups(present + previous)
                .forEach(group -> assertThat(sets.intersectsEachMajority(group))
                        .isEqualTo(isMet(group, first, present) && (previous == 0 || isMet(group, second, previous))));
    }

    private static boolean isMet(long group, long set, int size) {
        return Long.bitCount(group & set) >= size - Majority.of(size) + 1;
    }

    @Test
    void setsGrantedBy_majorityOfOneSet_isThatSet() {
        NodeSets sets = NodeSets.of(3).withPrevious(1);

        assertThat(sets.setsGrantedBy(0b1_000)).isEqualTo(0b1_000);
        assertThat(sets.setsGrantedBy(0b0_101)).isEqualTo(0b0_111);
        assertThat(sets.setsGrantedBy(0b0_001)).isZero();
        assertThat(sets.setsGrantedBy(0b1_011)).isEqualTo(0b1_111);
    }

    @Test
    void isAnySetWithout_nodesOfOneSet_isTrue() {
        NodeSets sets = NodeSets.of(3).withPrevious(1);

        assertThat(sets.isAnySetWithout(0b1_000)).isTrue();
        assertThat(sets.isAnySetWithout(0b0_111)).isTrue();
        assertThat(sets.isAnySetWithout(0b1_001)).isFalse();
    }

    @Test
    void where_conditions_areTheNodesInOrder() {
        assertThat(NodeSets.where(List.of("a", "", "b"), name -> !name.isEmpty()))
                .isEqualTo(0b101);
    }

    @Test
    void of_tooManyOrNoNodes_isRefused() {
        assertThat(NodeSets.of(60).withPrevious(4).isMajority(-1L)).isTrue();
        assertThatThrownBy(() -> NodeSets.of(0)).hasMessageContaining("0 nodes are not between 1 and 64");
        assertThatThrownBy(() -> NodeSets.of(60).withPrevious(5))
                .hasMessage("65 nodes are not between 1 and 64; three or five are enough");
    }

    @Test
    void toString_oneSetOrTwo_saysWhatDecides() {
        assertThat(NodeSets.of(3)).hasToString("2 of 3 nodes");
        assertThat(NodeSets.of(3).withPrevious(1)).hasToString("2 of 3 nodes and 1 of 1 previous nodes");
    }

    private static LongStream groups(int nodes) {
        return LongStream.range(0, 1L << nodes);
    }
}
