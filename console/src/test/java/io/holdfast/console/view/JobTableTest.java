package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.JobStatus;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class JobTableTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_795_670_000_000L);
    private static final NodeLockStatus HELD = new NodeLockStatus(
            "mark",
            0,
            Duration.ofSeconds(30),
            new FencingToken(8),
            List.of("a-1"),
            List.of(),
            NodeLockStatus.Note.NONE,
            false);
    private static final List<JobStatus> RUNNING = List.of(running());

    private final JobTable jobs = new JobTable();

    private static JobStatus running() {
        JobRun run = new JobRun(
                8,
                NOW,
                Duration.ZERO,
                new JobRun.Runner("root", "web3", 1, "report.jar", JobRun.Runner.JAVA),
                Optional.empty());
        return new JobStatus(
                "a",
                new JobHistory(Optional.empty(), JobHistory.SHORTEST_KEEP, Optional.empty(), List.of(run)),
                true,
                new LockStatus("a", List.of(NodeAnswer.of("node", HELD)), Map.of()));
    }

    private static void require(JobTable.Shown shown, boolean isFresh, String status) {
        assertThat(shown.rows())
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("name", "a")
                        .containsEntry("running", isFresh)
                        .containsEntry("complete", isFresh)
                        .extractingByKey("runs")
                        .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                        .singleElement()
                        .satisfies(run -> assertThat(run.get("status")).isEqualTo(status)));
    }

    @Test
    void shown_readLongAgo_doesNotSayThatAJobRuns() {
        jobs.read(RUNNING, NOW, 0);

        jobs.failed("no majority");

        JobTable.Shown shown = jobs.shown(TimeUnit.SECONDS.toNanos(30));
        require(shown, true, "running");
        assertThat(shown.error()).isEqualTo("no majority");
        require(jobs.shown(TimeUnit.SECONDS.toNanos(31)), false, "unknown");
    }

    @Test
    void shown_readAgain_isComplete() {
        jobs.failed("no majority");

        jobs.read(RUNNING, NOW, TimeUnit.SECONDS.toNanos(31));

        JobTable.Shown shown = jobs.shown(TimeUnit.SECONDS.toNanos(32));
        require(shown, true, "running");
        assertThat(shown.error()).isEmpty();
    }
}
