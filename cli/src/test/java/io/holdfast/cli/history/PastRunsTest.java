package io.holdfast.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of a history, and its notation. */
class PastRunsTest {

    private static final Instant START = Instant.parse("2026-11-22T03:00:00.123Z");
    private static final PastRun.Runner RUNNER = new PastRun.Runner("root", "web3", 4066, "back up.sh");

    private static final PastRuns.Mark MARK = new PastRuns.Mark(START, RUNNER.program());

    private static PastRun run(long fence, Instant start) {
        return new PastRun(fence, start, Duration.ofMillis(7), RUNNER, Optional.empty());
    }

    private static PastRun ended(long fence, int code, boolean lost) {
        return run(fence, START).ended(new PastRun.Outcome(START.plusSeconds(5), code, lost));
    }

    @Test
    void parse_ownText_isTheSameHistory() {
        PastRuns history = PastRuns.NONE
                .with(ended(2, 0, false))
                .markedBy(ended(2, 0, false))
                .with(ended(4, 3, true))
                .with(run(6, START.plusSeconds(9)));

        assertThat(PastRuns.parse(history.text())).contains(history);
        assertThat(history.mark()).contains(MARK);
        assertThat(history.runs()).extracting(PastRun::fence).containsExactly(6L, 4L, 2L);
    }

    @Test
    void parse_noText_hasNoRuns() {
        assertThat(PastRuns.parse("")).contains(PastRuns.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs-2\t-\t1", "runs-1", "runs-1\tx\t1", "runs-1\t-\t1\nrun", "text", "\n"})
    void parse_foreignText_isEmpty(String text) {
        assertThat(PastRuns.parse(text)).isEmpty();
    }

    @Test
    void with_endOfAKnownRun_replacesItsStart() {
        PastRuns history = PastRuns.NONE.with(run(2, START)).with(ended(2, 0, false));

        assertThat(history.runs()).containsExactly(ended(2, 0, false));
    }

    @Test
    void markedBy_failureOrLossAfterASuccess_keepsTheMark() {
        PastRuns history = PastRuns.NONE.markedBy(ended(2, 0, false));

        assertThat(history.markedBy(ended(4, 1, false)).mark()).contains(MARK);
        assertThat(PastRuns.NONE.markedBy(ended(4, 0, true)).mark()).isEmpty();
        assertThat(PastRuns.NONE.markedBy(run(4, START)).mark()).isEmpty();
    }

    @Test
    void with_success_marksNoPeriod() {
        assertThat(PastRuns.NONE.with(ended(2, 0, false)).mark()).isEmpty();
    }

    /** Machines may keep a program in different directories. */
    @Test
    void isOfAnother_sameNameElsewhere_isTheSameProgram() {
        assertThat(MARK.isOfAnother("/opt/bin/back up.sh")).isFalse();
        assertThat(MARK.isOfAnother("report.sh")).isTrue();
        assertThat(new PastRuns.Mark(START, "").isOfAnother("report.sh")).isFalse();
    }

    /** Twenty failures must not push out the success on which a period depends. */
    @Test
    void with_manyRuns_keepsTheNewestAndTheSuccess() {
        PastRuns history = PastRuns.NONE.markedBy(ended(2, 0, false));
        for (long fence : LongStream.rangeClosed(3, 40).toArray()) {
            history = history.with(ended(fence, 1, false));
        }

        assertThat(history.runs()).hasSize(PastRuns.MOST_RUNS);
        assertThat(history.runs().get(0).fence()).isEqualTo(40);
        assertThat(history.mark()).contains(MARK);
    }

    @Test
    void with_oldRuns_dropsThem() {
        PastRuns history = PastRuns.NONE.with(run(2, START)).with(run(4, START.plus(PastRuns.SHORTEST_KEEP)));

        assertThat(history.runs()).extracting(PastRun::fence).containsExactly(4L);
        assertThat(PastRuns.NONE
                        .keptFor(Duration.ofDays(60))
                        .with(run(2, START))
                        .with(run(4, START.plus(PastRuns.SHORTEST_KEEP)))
                        .runs())
                .hasSize(2);
    }

    @Test
    void text_longestFields_fitsIntoARecord() {
        PastRun.Runner longest =
                new PastRun.Runner("\u20ac".repeat(999), "h\t\n".repeat(99), Long.MAX_VALUE, "p".repeat(999));
        PastRuns history = PastRuns.NONE;
        for (int fence = 0; fence < PastRuns.MOST_RUNS; fence++) {
            history = history.with(new PastRun(
                    (1L << 53) - 100 + fence,
                    START,
                    Duration.ofDays(36_525),
                    longest,
                    Optional.of(new PastRun.Outcome(START, 255, true))));
        }

        assertThat(history.text().length()).isLessThan(LockRecord.MAX_LENGTH);
        assertThat(PastRuns.parse(history.text()).orElseThrow()).isEqualTo(history);
    }

    @Test
    void lastBefore_presentRun_isTheOneBefore() {
        PastRuns history = PastRuns.NONE.with(ended(2, 0, false)).with(run(4, START));

        assertThat(history.lastBefore(4)).contains(ended(2, 0, false));
        assertThat(history.lastBefore(0)).contains(run(4, START));
    }
}
