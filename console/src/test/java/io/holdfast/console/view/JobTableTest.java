package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JobTableTest {

    private static final List<Map<String, Object>> ROWS = List.of(row(true, "running"));

    private final JobTable jobs = new JobTable();

    private static Map<String, Object> row(boolean isFresh, String status) {
        return Map.of("name", "a", "running", isFresh, "complete", isFresh, "runs", List.of(Map.of("status", status)));
    }

    @Test
    void shown_readLongAgo_doesNotSayThatAJobRuns() {
        jobs.read(ROWS, 0);

        jobs.failed("no majority");

        assertThat(jobs.shown(TimeUnit.SECONDS.toNanos(30))).isEqualTo(new JobTable.Shown(ROWS, "no majority"));
        assertThat(jobs.shown(TimeUnit.SECONDS.toNanos(31)).rows()).containsExactly(row(false, "unknown"));
    }

    @Test
    void shown_readAgain_isComplete() {
        jobs.failed("no majority");

        jobs.read(ROWS, TimeUnit.SECONDS.toNanos(31));

        assertThat(jobs.shown(TimeUnit.SECONDS.toNanos(32))).isEqualTo(new JobTable.Shown(ROWS, ""));
    }
}
