package io.holdfast.scoreboard.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.testkit.history.Violation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of histories, each of which begins with a hold of client 0 that a fault strikes after 2 ms. */
class OutcomeTest {

    private static final long MILLI = 1_000_000;

    private final List<Event> history = new ArrayList<>(
            List.of(at(0, 0, Kind.ASKED), at(1, 0, Kind.GOT), at(1, 0, Kind.READ, 0), at(2, 0, Kind.FAULT)));

    private static Event at(long millis, int client, Kind kind) {
        return at(millis, client, kind, Event.NONE);
    }

    private static Event at(long millis, int client, Kind kind, long value) {
        return new Event(millis * MILLI, client, kind, Event.NONE, value);
    }

    private Outcome outcome(Event... more) {
        history.addAll(List.of(more));
        history.add(at(100, -1, Kind.ENDED));
        return Outcome.of(history);
    }

    @Test
    void lost_secondWriterOverwritesTheFirst_isOneOfTwo() {
        Outcome outcome = outcome(
                at(3, 1, Kind.GOT),
                at(4, 1, Kind.READ, 0),
                at(5, 1, Kind.WROTE, 1),
                at(6, 0, Kind.WROTE, 1),
                at(7, 0, Kind.RELEASED));

        assertThat(outcome.updates()).isEqualTo(2);
        assertThat(outcome.lost()).isEqualTo(1);
        assertThat(outcome.violations()).contains(Violation.Kind.UPDATE);
    }

    @Test
    void lost_oneAfterTheOther_isNone() {
        Outcome outcome = outcome(
                at(3, 0, Kind.WROTE, 1),
                at(4, 0, Kind.RELEASED),
                at(5, 1, Kind.GOT),
                at(6, 1, Kind.WROTE, 2),
                at(7, 1, Kind.RELEASED));

        assertThat(outcome.lost()).isZero();
        assertThat(outcome.violations()).isEmpty();
        assertThat(outcome.notified()).isEqualTo(Notified.KEPT);
    }

    @Test
    void told_lossBeforeTheNextHolder_isInTime() {
        Outcome outcome = outcome(at(3, 0, Kind.LOST), at(8, 1, Kind.GOT), at(9, 0, Kind.RELEASED));

        assertThat(outcome.notified()).isEqualTo(Notified.BEFORE);
        assertThat(outcome.overlapMillis()).isZero();
        assertThat(outcome.gapMillis()).isEqualTo(5);
    }

    @Test
    void told_lossAfterTheNextHolder_isLate() {
        Outcome outcome = outcome(at(3, 1, Kind.GOT), at(8, 0, Kind.LOST), at(9, 0, Kind.RELEASED));

        assertThat(outcome.notified()).isEqualTo(Notified.AFTER);
        assertThat(outcome.overlapMillis()).isEqualTo(5);
    }

    @Test
    void told_lossAfterTheRelease_isLate() {
        Outcome outcome = outcome(at(3, 1, Kind.GOT), at(8, 0, Kind.RELEASED), at(9, 0, Kind.LOST));

        assertThat(outcome.notified()).isEqualTo(Notified.AFTER);
    }

    @Test
    void told_noReport_isNever() {
        Outcome outcome = outcome(at(3, 1, Kind.GOT), at(8, 0, Kind.RELEASED));

        assertThat(outcome.notified()).isEqualTo(Notified.NEVER);
    }

    @Test
    void overlap_holderIsStopped_countsItsRunningTimeOnly() {
        Outcome outcome = outcome(
                at(3, 0, Kind.STOPPED), at(10, 1, Kind.GOT), at(20, 0, Kind.CONTINUED), at(24, 0, Kind.RELEASED));

        assertThat(outcome.overlapMillis()).isEqualTo(4);
    }

    @Test
    void gap_holderIsKilled_beginsWithItsEnd() {
        Outcome outcome = outcome(at(3, 0, Kind.GONE), at(50, 1, Kind.GOT), at(99, 1, Kind.RELEASED));

        assertThat(outcome.gapMillis()).isEqualTo(47);
        assertThat(outcome.notified()).isEqualTo(Notified.KEPT);
    }

    @Test
    void waits_clientWaitsInVain_countsUntilTheEnd() {
        Outcome outcome = outcome(at(10, 1, Kind.ASKED));

        assertThat(outcome.waitsMillis().stream()).containsExactly(90d);
    }

    @Test
    void times_machineIsBusyBeforeTheFault_countFromTheFault() {
        history.addAll(
                0,
                List.of(
                        at(-900, 1, Kind.ASKED),
                        at(-800, 1, Kind.GOT),
                        at(-799, 1, Kind.RELEASED),
                        at(-700, 1, Kind.ASKED)));

        Outcome outcome = outcome(at(5, 0, Kind.RELEASED), at(7, 1, Kind.GOT), at(98, 1, Kind.RELEASED));

        assertThat(outcome.gapMillis()).isEqualTo(2);
        assertThat(outcome.waitsMillis().stream()).containsExactly(707d);
    }
}
