package io.holdfast.benchmarks.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.handover.Worker.Hold;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of a team are those of its holds, and its turns are its own. */
class HandOverFiguresTest {

    private static final int PROCESSES = 3;
    private static final long MILLI = 1_000_000;
    private static final Schedule SCHEDULE = new Schedule(0, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(2));

    /** A hold in the first round of team 0, with times in ms after the begin of the turn. */
    private static Hold hold(int worker, int asked, int from, int to) {
        long begin = SCHEDULE.begin(1, 0);
        return new Hold(worker, 0, 1, begin + asked * MILLI, begin + from * MILLI, begin + to * MILLI);
    }

    private static HandOverFigures figures(Hold... holds) {
        return HandOverFigures.of(List.of(holds), SCHEDULE, 0, PROCESSES);
    }

    @Test
    void of_holdsOfTwoProcesses_countsTheTimesBetweenProcessesOnly() {
        HandOverFigures figures = figures(hold(0, 0, 1, 6), hold(1, 0, 8, 13), hold(1, 13, 14, 19), hold(2, 0, 22, 27));

        assertThat(figures.handOvers().stream()).containsExactly(2.0, 3.0);
    }

    @Test
    void of_holdAfterTheEndOfTheTurn_countsItsWaitButNotAsAHold() {
        HandOverFigures figures = figures(hold(0, 0, 1, 6), hold(1, 0, 2100, 2105));

        assertThat(figures.waits().at(1)).isEqualTo(2100);
        assertThat(figures.handOvers().count()).isZero();
    }

    @Test
    void of_rounds_returnsTheirMedianSpeed() {
        assertThat(figures(hold(0, 0, 1, 6)).holdsPerSecond()).isZero();

        List<Hold> holds = List.of(
                hold(0, 0, 1, 6),
                new Hold(0, 0, 2, 0, SCHEDULE.begin(2, 0), SCHEDULE.begin(2, 0) + MILLI),
                new Hold(1, 0, 2, 0, SCHEDULE.begin(2, 0) + MILLI, SCHEDULE.begin(2, 0) + 2 * MILLI));
        assertThat(HandOverFigures.of(holds, SCHEDULE, 0, PROCESSES).holdsPerSecond())
                .isEqualTo(0.5);
    }

    @Test
    void of_oneProcessWithAllHolds_hasTheLeastIndex() {
        assertThat(figures(hold(0, 0, 1, 2), hold(0, 2, 3, 4)).jain()).isEqualTo(1.0 / PROCESSES);
    }

    @Test
    void begin_eachTurn_isAfterTheEndOfTheTurnBefore() {
        long before = SCHEDULE.firstNanos() - 1;
        for (int round = 0; round <= SCHEDULE.rounds(); round++) {
            for (int contestant = 0; contestant < SCHEDULE.contestants(); contestant++) {
                assertThat(SCHEDULE.begin(round, contestant)).isGreaterThan(before);
                before = SCHEDULE.end(round, contestant);
            }
        }
    }

    @Test
    void parse_textOfASchedule_returnsTheSchedule() {
        assertThat(Schedule.parse(SCHEDULE.toString())).isEqualTo(SCHEDULE);
    }
}
