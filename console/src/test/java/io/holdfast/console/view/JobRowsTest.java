package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobRowsTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_795_670_000_000L);

    private static JobStatus job(String name, Instant... starts) {
        List<JobRun> runs = Stream.of(starts)
                .map(start -> new JobRun(
                        start.getEpochSecond(),
                        start,
                        Duration.ZERO,
                        new JobRun.Runner("root", "web3", 1, "report.jar", JobRun.Runner.JAVA),
                        Optional.empty()))
                .toList();
        JobHistory history = new JobHistory(Optional.empty(), JobHistory.SHORTEST_KEEP, Optional.empty(), runs);
        return new JobStatus(name, history, true, new LockStatus(name, List.of(), Map.of()));
    }

    @Test
    void of_severalRuns_haveTheOldestFirst() {
        Map<String, Object> row = JobRows.of(List.of(job("report", NOW, NOW.minusSeconds(60))), NOW, true)
                .get(0);

        assertThat((List<?>) row.get("runs"))
                .extracting(run -> ((Map<?, ?>) run).get("start"))
                .isEqualTo(List.of(NOW.toEpochMilli() - 60_000, NOW.toEpochMilli()));
    }
}
