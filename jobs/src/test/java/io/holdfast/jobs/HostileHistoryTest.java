package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records with damaged fields: one of them must not end the reading of all jobs. */
class HostileHistoryTest {

    private static final Instant NOW = Instant.parse("2026-11-22T03:00:00Z");
    private static final int RECORDS = 20_000;

    private static final List<String> HOSTILE = List.of(
            "",
            "-",
            "x",
            "-1",
            "0",
            "1",
            "253402300799999",
            "253402300800000",
            "3155760000000",
            "3155760000001",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808");

    private static String text() {
        JobRun run = new JobRun(
                2, NOW, Duration.ofMillis(7), new JobRun.Runner("root", "web3", 1, "a", "java"), Optional.empty());
        return JobHistory.NONE
                .expecting(Optional.of(Duration.ofHours(1)))
                .withMark(Optional.of(new JobHistory.Mark(NOW, "a")))
                .with(run)
                .with(new JobRun(
                        4, NOW, Duration.ZERO, run.runner(), Optional.of(JobRun.Outcome.ofExitCode(NOW, 0, false))))
                .text();
    }

    private static String damaged(Random random) {
        return text().lines()
                .map(line -> Arrays.stream(line.split("\t", -1))
                        .map(field -> random.nextInt(4) > 0 ? field : hostile(random))
                        .collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n"));
    }

    private static String hostile(Random random) {
        int choice = random.nextInt(HOSTILE.size() + 1);
        return choice < HOSTILE.size() ? HOSTILE.get(choice) : Long.toString(random.nextLong());
    }

    /** Reads all that meters, files and pages show. */
    private static long shown(JobHistory history) {
        JobStatus job = new JobStatus("report", history, true, new LockStatus("report", List.of(), Map.of()));
        long moments = Stream.of(job.nextDue(NOW), history.lastSuccess(NOW))
                .flatMap(Optional::stream)
                .mapToLong(Instant::toEpochMilli)
                .sum();
        long durations = Stream.concat(
                        Stream.of(job.duration(), history.expectEvery()).flatMap(Optional::stream),
                        history.runs().stream().map(JobRun::waited))
                .mapToLong(Duration::toMillis)
                .sum();
        long states = Stream.of(
                        job.isOverdue(NOW), job.isFailed(), job.running().isPresent())
                .filter(is -> is)
                .count();
        return moments + durations + states;
    }

    @Test
    void status_damagedFields_neverFails() {
        Random random = new Random(1);
        int known = 0;
        for (int i = 0; i < RECORDS; i++) {
            Optional<JobHistory> history = HistoryFormat.parse(damaged(random));
            history.ifPresent(read -> {
                shown(read);
                assertThat(HistoryFormat.parse(read.text())).contains(read);
            });
            known += history.isPresent() ? 1 : 0;
        }
        assertThat(known).isGreaterThan(RECORDS / 10);
    }

    @Test
    void parse_hugeInterval_isDamaged() {
        assertThat(HistoryFormat.parse("runs-2\t-\t1\t\t9223372036854775807")).isEmpty();
        assertThat(HistoryFormat.parse("runs-2\t-\t1\t\t3600000")).isPresent();
    }
}
