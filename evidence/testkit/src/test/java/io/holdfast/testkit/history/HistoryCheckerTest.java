package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.history.Operation.Kind;
import io.holdfast.testkit.hostile.FuzzSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryCheckerTest {

    private static final boolean EVIDENCE = Boolean.getBoolean("holdfast.evidence");
    private static final int CORRECT = EVIDENCE ? 10_000 : 2_000;
    private static final int OF_EACH_FAULT = EVIDENCE ? 1_000 : 200;
    private static final int SMALL = EVIDENCE ? 20_000 : 4_000;

    private static final List<Operation> LOST_UPDATE = List.of(
            new Operation("a", Kind.ACQUIRE, 1_000_000, 2_000_000L, 4L, null),
            new Operation("a", Kind.READ, 3_000_000, 4_000_000L, 4L, 0L),
            new Operation("a", Kind.LOSS, 5_000_000, 5_000_000L, 4L, null),
            new Operation("b", Kind.ACQUIRE, 1_000_000, 6_000_000L, 6L, null),
            new Operation("b", Kind.READ, 6_000_000, 7_000_000L, 6L, 0L),
            new Operation("b", Kind.WRITE, 8_000_000, 9_000_000L, 6L, 1L),
            new Operation("a", Kind.WRITE, 9_500_000, 9_700_000L, 4L, 2L),
            new Operation("c", Kind.ACQUIRE, 1_000_000, null, null, null));

    @Test
    void check_correctHistories_findsNothing() {
        FuzzSeeds.run("correct histories", CORRECT, seed -> {
            List<Operation> operations = RandomHistory.correct(new Random(seed));

            assertThat(HistoryChecker.check(new History(operations))).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void check_oneFault_isFoundAndShownInFewOperations(Violation.Kind fault) {
        FuzzSeeds.run(fault + " histories", OF_EACH_FAULT, seed -> {
            List<Operation> operations = RandomHistory.with(fault, new Random(seed));

            List<Violation> found = HistoryChecker.check(new History(operations));

            assertThat(found).extracting(Violation::kind).containsOnly(fault);
            assertThat(found).allSatisfy(one -> assertThat(one.part()).hasSizeLessThan(6));
        });
    }

    /** Operations at few instants, of which some are pending, and with few values. */
    @Test
    void failure_smallHistories_isWhatTryingAllOrdersSays() {
        FuzzSeeds.run("small histories", SMALL, seed -> {
            List<Step> steps = randomSteps(new Random(seed));

            assertThat(Linearization.failure(steps).isEmpty()).isEqualTo(canBeOrdered(steps, 0));
        });
    }

    private static List<Step> randomSteps(Random random) {
        List<Step> steps = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            long begun = random.nextInt(8);
            List<Operation> operations = new ArrayList<>();
            for (int j = 1 + random.nextInt(2); j > 0; j--) {
                Kind kind = random.nextBoolean() ? Kind.READ : Kind.WRITE;
                operations.add(new Operation("p" + i, kind, begun, begun, null, (long) random.nextInt(3)));
            }
            long ended = random.nextInt(5) == 0 ? Long.MAX_VALUE : begun + random.nextInt(6);
            steps.add(new Step(begun, ended, operations));
        }
        return steps;
    }

    private static boolean canBeOrdered(List<Step> left, long value) {
        if (left.stream().allMatch(Step::isPending)) {
            return true;
        }
        long bound = left.stream().mapToLong(Step::ended).min().orElseThrow();
        for (Step first : left) {
            Long after = first.begun() > bound ? null : first.apply(value);
            if (after != null
                    && canBeOrdered(
                            left.stream().filter(one -> !one.equals(first)).toList(), after)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void check_instantsAreTheSame_theirOrderIsUnknown() {
        List<Operation> operations = List.of(
                new Operation("a", Kind.ACQUIRE, 0, 10L, 6L, null),
                new Operation("a", Kind.LOSS, 11, 11L, 6L, null),
                new Operation("b", Kind.ACQUIRE, 0, 10L, 4L, null),
                new Operation("b", Kind.RELEASE, 10, 10L, 4L, null),
                new Operation("b", Kind.ACQUIRE, 10, 12L, 5L, null));

        assertThat(HistoryChecker.check(new History(operations))).isEmpty();
    }

    @Test
    void toString_lostUpdate_isItsOperationsWithTimes() {
        assertThat(HistoryChecker.check(new History(LOST_UPDATE)))
                .singleElement()
                .hasToString("""
                        no order of holds explains these values: an update was lost
                          0.000000 ms to 1.000000 ms: a read 0, token 4
                          3.000000 ms to 4.000000 ms: b read 0, token 6
                          5.000000 ms to 6.000000 ms: b write 1, token 6
                          6.500000 ms to 6.700000 ms: a write 2, token 4""");
    }

    @Test
    void overlap_holdsOfTheHistory_isTheTimeInWhichBothRelyOnThem() {
        List<Hold> holds = new History(List.of(
                        new Operation("a", Kind.ACQUIRE, 0, 10L, null, null),
                        new Operation("b", Kind.ACQUIRE, 0, 20L, null, null),
                        new Operation("a", Kind.LOSS, 25, 90L, null, null),
                        new Operation("b", Kind.WRITE, 30, null, null, 1L)))
                .holds();

        assertThat(holds.get(0).overlap(holds.get(1))).isEqualTo(5);
        assertThat(holds.get(1).reliedUntil()).isEqualTo(30);
    }

    @Test
    void construct_processDoesTwoThingsAtOnce_isRejected() {
        List<Operation> operations = List.of(
                new Operation("a", Kind.WRITE, 0, null, null, 1L), new Operation("a", Kind.READ, 5, 6L, null, 1L));

        assertThatThrownBy(() -> new History(operations)).hasMessageContaining("is under way");
    }
}
