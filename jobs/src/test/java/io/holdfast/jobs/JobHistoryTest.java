package io.holdfast.jobs;

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
class JobHistoryTest {

    private static final Instant START = Instant.parse("2026-11-22T03:00:00.123Z");
    private static final JobRun.Runner RUNNER =
            new JobRun.Runner("root", "web3", 4066, "back up.sh", JobRun.Runner.COMMAND);

    private static final JobHistory.Mark MARK = new JobHistory.Mark(START, RUNNER.program());

    private static JobRun run(long fence, Instant start) {
        return new JobRun(fence, start, Duration.ofMillis(7), RUNNER, Optional.empty());
    }

    private static JobRun ended(long fence, int code, boolean lost) {
        return run(fence, START).ended(JobRun.Outcome.ofExitCode(START.plusSeconds(5), code, lost));
    }

    @Test
    void parse_ownText_isTheSameHistory() {
        JobHistory history = JobHistory.NONE
                .with(ended(2, 0, false))
                .markedBy(ended(2, 0, false), START)
                .with(ended(4, 3, true))
                .with(run(6, START.plusSeconds(9)));

        assertThat(HistoryFormat.parse(history.text())).contains(history);
        assertThat(history.mark()).contains(MARK);
        assertThat(history.runs()).extracting(JobRun::fence).containsExactly(6L, 4L, 2L);
    }

    @Test
    void parse_noText_hasNoRuns() {
        assertThat(HistoryFormat.parse("")).contains(JobHistory.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs-1\t-\t1\t\t-", "runs-3\t-\t1\t\t-", "runs-2", "runs-2\tx\t1\t\t-", "text", "\n"})
    void parse_foreignText_isEmpty(String text) {
        assertThat(HistoryFormat.parse(text)).isEmpty();
    }

    /** An older version on another machine must not fail the runs of a newer one. */
    @Test
    void parse_fieldsOfALaterVersion_areIgnored() {
        JobHistory history = JobHistory.NONE
                .expecting(Optional.of(Duration.ofHours(1)))
                .with(ended(2, 0, false))
                .markedBy(ended(2, 0, false), START)
                .with(ended(4, 3, true));
        String[] lines = history.text().split("\n", -1);
        String later = lines[0] + "\tmore\tand more\n" + lines[1] + "\tx\ty\nnew line\n" + lines[2] + "\tx";

        assertThat(HistoryFormat.parse(later)).contains(history);
    }

    @Test
    void parse_unknownStatus_isNoSuccess() {
        String later = JobHistory.NONE.with(ended(2, 0, false)).text().replace("succeeded", "skipped");

        assertThat(HistoryFormat.parse(later).orElseThrow().runs())
                .singleElement()
                .satisfies(run -> assertThat(run.isSuccess()).isFalse());
    }

    /** The place of these fields is promised to all versions. */
    @Test
    void text_fields_stayWhereTheyAre() {
        JobHistory history = JobHistory.NONE
                .expecting(Optional.of(Duration.ofHours(1)))
                .with(ended(2, 0, false))
                .markedBy(ended(2, 0, false), START)
                .with(run(4, START));

        assertThat(history.text().replace("\t", "|")).isEqualTo("""
                        runs-2|1795316400123|2592000000|back up.sh|3600000
                        4|1795316400123|7|-|-||root|web3|4066|back up.sh|command
                        2|1795316400123|7|1795316405123|succeeded|0|root|web3|4066|back up.sh|command\
                        """);
    }

    /** The nodes could not store half of a character. */
    @Test
    void runner_cutBetweenTwoHalvesOfACharacter_keepsNoHalf() {
        String emoji = "\ud83d\ude00";
        JobRun.Runner runner = new JobRun.Runner("a".repeat(59) + emoji, "\ud83d", 1, emoji.repeat(99), "java");

        assertThat(runner.user()).isEqualTo("a".repeat(59) + "...");
        assertThat(runner.host()).isEqualTo(" ");
        assertThat(runner.program()).isEqualTo(emoji.repeat(30) + "...");
    }

    @Test
    void with_endOfAKnownRun_replacesItsStart() {
        JobHistory history = JobHistory.NONE.with(run(2, START)).with(ended(2, 0, false));

        assertThat(history.runs()).containsExactly(ended(2, 0, false));
    }

    @Test
    void markedBy_failureOrLossAfterASuccess_keepsTheMark() {
        JobHistory history = JobHistory.NONE.markedBy(ended(2, 0, false), START);

        assertThat(history.markedBy(ended(4, 1, false), START).mark()).contains(MARK);
        assertThat(JobHistory.NONE.markedBy(ended(4, 0, true), START).mark()).isEmpty();
        assertThat(JobHistory.NONE.markedBy(run(4, START), START).mark()).isEmpty();
    }

    @Test
    void with_success_marksNoPeriod() {
        assertThat(JobHistory.NONE.with(ended(2, 0, false)).mark()).isEmpty();
    }

    /** Machines may keep a program in different directories. */
    @Test
    void isOfAnother_sameNameElsewhere_isTheSameProgram() {
        assertThat(MARK.isOfAnother("/opt/bin/back up.sh")).isFalse();
        assertThat(MARK.isOfAnother("report.sh")).isTrue();
        assertThat(new JobHistory.Mark(START, "").isOfAnother("report.sh")).isFalse();
    }

    /** Twenty failures must not push out the success on which a period depends. */
    @Test
    void with_manyRuns_keepsTheNewestAndTheSuccess() {
        JobHistory history = JobHistory.NONE.markedBy(ended(2, 0, false), START);
        for (long fence : LongStream.rangeClosed(3, 40).toArray()) {
            history = history.with(ended(fence, 1, false));
        }

        assertThat(history.runs()).hasSize(JobHistory.MOST_RUNS);
        assertThat(history.runs().get(0).fence()).isEqualTo(40);
        assertThat(history.mark()).contains(MARK);
    }

    @Test
    void with_runOfAMachineInTheFuture_keepsTheOthers() {
        JobHistory history = JobHistory.NONE.with(run(2, START)).with(run(4, START.plus(Duration.ofDays(4_000))));

        assertThat(history.runs()).extracting(JobRun::fence).containsExactly(4L, 2L);
    }

    @Test
    void text_longestFields_fitsIntoARecord() {
        JobRun.Runner longest = new JobRun.Runner(
                "\u20ac".repeat(999), "h\t\n".repeat(99), Long.MAX_VALUE, "p".repeat(999), "k".repeat(99));
        JobHistory history = JobHistory.NONE;
        for (int fence = 0; fence < JobHistory.MOST_RUNS; fence++) {
            history = history.with(new JobRun(
                    (1L << 53) - 100 + fence,
                    START,
                    Duration.ofDays(36_525),
                    longest,
                    Optional.of(new JobRun.Outcome(START, JobRun.Status.SUCCEEDED, "e".repeat(999)))));
        }

        assertThat(history.text().length()).isLessThan(LockRecord.MAX_LENGTH);
        assertThat(HistoryFormat.parse(history.text()).orElseThrow()).isEqualTo(history);
    }

    @Test
    void lastBefore_presentRun_isTheOneBefore() {
        JobHistory history = JobHistory.NONE.with(ended(2, 0, false)).with(run(4, START));

        assertThat(history.lastBefore(4)).contains(ended(2, 0, false));
        assertThat(history.lastBefore(0)).contains(run(4, START));
    }
}
