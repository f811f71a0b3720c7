package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jobs.JobOverview;
import io.holdfast.jobs.JobRun;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The meters of jobs in virtual time: which exist, and when they change. */
class JobMetricsTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final Scene scene = new Scene();
    private final JobOverview overview = new JobOverview(scene.other);
    private final JobMetrics metrics = new JobMetrics(scene.other, overview, JobMetrics.names(), Tags.empty());

    JobMetricsTest() {
        metrics.bindTo(scene.registry);
    }

    /** The first scrape lets the jobs be read, and the second one shows them. */
    private String scrape() {
        scene.registry.scrape();
        scene.time.advance(JobOverview.MAX_AGE);
        scene.registry.scrape();
        scene.time.settle();
        return scene.registry.scrape();
    }

    private double gauge(String name, String job) {
        return Scene.gauge(scene.registry, "holdfast.job." + name, "lock", job);
    }

    @Test
    void jobs_beforeTheFirstReading_areUnknown() {
        assertThat(Scene.gauge(scene.registry, "holdfast.jobs")).isNaN();
    }

    @Test
    void jobs_ofAnotherClient_haveTheirState() {
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);
        scene.runJob("broken", JobRun.Status.FAILED, DAY);

        String text = scrape();

        assertThat(text)
                .contains("holdfast_jobs 2.0\n")
                .contains("holdfast_job_overdue{lock=\"nightly\"} 0.0\n")
                .contains("holdfast_job_failed{lock=\"nightly\"} 0.0\n")
                .contains("holdfast_job_failed{lock=\"broken\"} 1.0\n")
                .contains("holdfast_job_running{lock=\"broken\"} 0.0\n")
                .contains("holdfast_job_last_success_timestamp_seconds{lock=\"broken\"} NaN\n");
        assertThat(gauge("next.due.timestamp", "nightly") - gauge("last.success.timestamp", "nightly"))
                .isEqualTo(86_400);
        assertThat(gauge("last.duration", "nightly")).isEqualTo(2);
    }

    @Test
    void jobs_noProcessRunsOne_isOverdue() {
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);
        scene.time.advance(DAY.plus(Duration.ofHours(2)));
        scrape();
        double early = gauge("overdue", "nightly");
        scene.time.advance(Duration.ofHours(1));
        scrape();

        assertThat(early).isZero();
        assertThat(gauge("overdue", "nightly")).isEqualTo(1);
    }

    /** A scrape shows what the one before has let read, which must not look late because of that. */
    @Test
    void jobs_scrapedEveryFiveMinutes_areNotOverdue() {
        Duration minute = Duration.ofMinutes(1);
        scene.runJob("minutely", JobRun.Status.SUCCEEDED, minute);
        scrape();

        for (int past = 0; past < 5; past++) {
            scene.time.advance(minute);
            scene.runJob("minutely", JobRun.Status.SUCCEEDED, minute);
        }

        assertThat(scene.registry.scrape()).contains("holdfast_job_overdue{lock=\"minutely\"} 0.0\n");
    }

    @Test
    void jobs_firstScrapeAfterAPause_areUnknown() {
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);
        scrape();

        scene.time.advance(DAY.plus(Duration.ofHours(3)));

        assertThat(scene.registry.scrape())
                .contains("holdfast_jobs NaN\n")
                .doesNotContainPattern("holdfast_job_\\w+\\{lock=\"nightly\"} \\d");
        assertThat(scrape()).contains("holdfast_job_overdue{lock=\"nightly\"} 1.0\n");
    }

    /** A series that remained would keep its last value, and the alert its state. */
    @Test
    void jobs_noMajorityAnswers_areNotShown() {
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);
        scrape();

        scene.isSilent = true;
        scene.time.advance(JobOverview.MAX_AGE);

        assertThat(scrape()).contains("holdfast_jobs NaN\n").doesNotContain("holdfast_job_overdue{");
    }

    @Test
    void jobs_beyondTheLimit_areOneGroup() {
        JobMetrics few =
                new JobMetrics(scene.other, overview, LockGroups.by(name -> name, 1), Tags.of("client", "few"));
        few.bindTo(scene.registry);
        scene.runJob("a", JobRun.Status.FAILED, DAY);
        scene.runJob("b", JobRun.Status.FAILED, DAY);
        scene.runJob("c", JobRun.Status.FAILED, DAY);

        assertThat(scrape())
                .contains("holdfast_job_failed{client=\"few\",lock=\"a\"} 1.0\n")
                .contains("holdfast_job_failed{client=\"few\",lock=\"other\"} 2.0\n");
    }

    @Test
    void runs_ofThisClient_areTimed() {
        new JobMetrics(scene.holdfast).bindTo(scene.registry);
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);

        assertThat(scene.registry.scrape())
                .contains("holdfast_job_runs_seconds_count{lock=\"nightly\",outcome=\"succeeded\"} 1\n")
                .contains("holdfast_job_runs_seconds_sum{lock=\"nightly\",outcome=\"succeeded\"} 2.0\n");
    }

    @Test
    void close_always_removesTheGauges() {
        scene.runJob("nightly", JobRun.Status.SUCCEEDED, DAY);
        scrape();

        metrics.close();

        assertThat(scene.registry.scrape()).doesNotContain("holdfast_job");
    }
}
