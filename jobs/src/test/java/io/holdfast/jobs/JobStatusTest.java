package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The overview of all jobs. */
class JobStatusTest {

    private final Machines machines = new Machines();
    private final InstantSource clock = machines.clock(Duration.ZERO);
    private final Job daily =
            Job.of(machines.holdfast(), "report").withClock(clock).expectEvery(Duration.ofHours(24));

    private JobStatus status() {
        return status("report");
    }

    private JobStatus status(String name) {
        return JobStatus.all(machines.holdfast().admin()).stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private boolean isOverdue() {
        return status().isOverdue(clock.instant());
    }

    private List<String> names() {
        return JobStatus.all(machines.holdfast().admin()).stream()
                .map(JobStatus::name)
                .toList();
    }

    private void fail() {
        assertThatThrownBy(() -> daily.run(run -> {
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
    }

    @Test
    void all_jobsAndOtherRecords_areTheJobs() throws InterruptedException {
        daily.run(run -> {});
        JobResult strange = Job.of(machines.holdfast(), "a strange: name\n")
                .withClock(clock)
                .run(run -> {});
        CompletableFuture<Lease> other = machines.holdfast().lock("other").acquireAsync();
        machines.pass(Duration.ZERO);
        HeldRecord record = other.join().record();
        record.read();
        record.write("a text of an application", Duration.ofDays(1));

        assertThat(machines.holdfast().admin().recorded()).contains("other");
        assertThat(names()).containsExactly("a strange: name\n", "report");
        assertThat(strange.message()).isEqualTo("'a strange: name?' ran");
    }

    /** One node is enough to know of a job, and a majority to know that none is missing. */
    @Test
    void all_oneNodeHasBeenRestarted_hasTheJobs() throws InterruptedException {
        daily.run(run -> {});

        machines.node(0).restart();
        machines.node(1).restart();

        assertThat(names()).containsExactly("report");
    }

    /** ShedLock does not say whether a task failed; to report each one as failed would hide those that did. */
    @Test
    void status_endIsAllThatIsKnown_isNotFailed() {
        CompletableFuture<Lease> granted = machines.holdfast().lock("task").acquireAsync();
        machines.pass(Duration.ZERO);
        JobRecorder recorder = JobRecorder.of(granted.join(), JobRule.always(clock));
        recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.TASK, "task"), Duration.ZERO);
        recorder.endedAsync(JobRun.Status.ENDED, "");
        machines.pass(Duration.ofSeconds(1));
        granted.join().releaseAsync();
        machines.pass(Duration.ofSeconds(1));

        JobStatus task = status("task");

        assertThat(task.lastRun().orElseThrow().outcome()).isPresent();
        assertThat(task.isFailed()).isFalse();
    }

    /** Otherwise one server that hangs would delay a list of a hundred jobs by minutes. */
    @Test
    void all_nodeIsSilent_waitsForItOnce() throws InterruptedException {
        for (int job = 0; job < 5; job++) {
            Job.of(machines.holdfast(), "job-" + job).withClock(clock).run(run -> {});
        }
        machines.node(2).silent();
        Instant begun = clock.instant();

        List<JobStatus> jobs = JobStatus.all(machines.holdfast().admin());

        assertThat(jobs)
                .hasSize(5)
                .allSatisfy(job -> assertThat(job.lock().nodes()).isEmpty());
        assertThat(Duration.between(begun, clock.instant())).isLessThan(Duration.ofSeconds(3));
    }

    /** Each run that has not ended depends on its lock, and they are asked for together. */
    @Test
    void all_manyRunsGoOnAndANodeIsSilent_areAskedForAtOnce() throws InterruptedException {
        for (int job = 0; job < 5; job++) {
            CompletableFuture<Lease> lease =
                    machines.holdfast().lock("job-" + job).acquireAsync();
            machines.pass(Duration.ZERO);
            JobRecorder recorder = JobRecorder.of(lease.join(), JobRule.always(clock));
            recorder.decide();
            recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.JAVA, "main"), Duration.ZERO);
            machines.pass(Duration.ofMillis(10));
        }
        machines.node(2).silent();
        Instant begun = clock.instant();

        List<JobStatus> jobs = JobStatus.all(machines.holdfast().admin());

        assertThat(jobs).hasSize(5).allSatisfy(job -> assertThat(job.running()).isPresent());
        assertThat(Duration.between(begun, clock.instant())).isLessThan(Duration.ofSeconds(9));
    }

    /** Otherwise the nodes fall silent after they have listed the jobs, and all is well. */
    @Test
    void all_tooFewNodesSendRecords_areNotComplete() throws InterruptedException {
        daily.run(run -> {});
        machines.node(0).silent();
        machines.node(1).silent();
        machines.node(2).silent();

        assertThat(JobStatus.all(machines.holdfast().admin()))
                .singleElement()
                .matches(job -> !job.isComplete() && !job.isFailed());
    }

    @Test
    void all_recordsHaveEnded_isEmpty() throws InterruptedException {
        daily.run(run -> {});

        machines.pass(JobHistory.SHORTEST_KEEP.plusSeconds(1));

        assertThat(names()).isEmpty();
    }

    @Test
    void status_afterASuccess_isDueAndOverdueInTime() throws InterruptedException {
        Instant start = clock.instant();
        daily.run(run -> machines.pass(Duration.ofSeconds(9)));

        assertThat(status().isFailed()).isFalse();
        assertThat(status().running()).isEmpty();
        assertThat(status().duration()).contains(Duration.ofSeconds(9));
        assertThat(status().nextDue(clock.instant()).orElseThrow()).isBetween(start, start.plus(Duration.ofHours(25)));
        machines.pass(Duration.ofHours(26));
        assertThat(status().nextDue(clock.instant()).orElseThrow()).isBefore(clock.instant());
        assertThat(isOverdue()).isFalse();
        machines.pass(Duration.ofMinutes(25));
        assertThat(isOverdue()).isTrue();
    }

    /** A machine whose clock is far ahead must not hide for that time that the job has stopped. */
    @Test
    void status_successInTheFarFuture_doesNotHideThatTheJobIsOverdue() throws InterruptedException {
        daily.run(run -> {});
        Instant success = status().history().lastSuccess(clock.instant()).orElseThrow();
        daily.withClock(machines.clock(Duration.ofDays(20))).run(run -> {});

        assertThat(status().history().lastSuccess(clock.instant())).contains(success);
        assertThat(status().nextDue(clock.instant())).contains(success.plus(Duration.ofHours(24)));
        assertThat(isOverdue()).isFalse();
        machines.pass(Duration.ofHours(27));
        assertThat(isOverdue()).isTrue();
        daily.withClock(machines.clock(Duration.ofDays(20)))
                .run(run -> assertThat(isOverdue()).isTrue());
    }

    @Test
    void status_allStartsInTheFarFuture_isOverdue() throws InterruptedException {
        daily.withClock(machines.clock(Duration.ofDays(20))).run(run -> {});

        assertThat(status().nextDue(clock.instant())).isEmpty();
        assertThat(isOverdue()).isTrue();
    }

    /** A duration is shorter than the interval of the scheduler, so the job would be overdue before each run. */
    @Test
    void status_durationAsThePeriod_isNeverOverdue() throws InterruptedException {
        Job.of(machines.holdfast(), "report")
                .withClock(clock)
                .oncePer(JobPeriod.parse("12h"))
                .run(run -> {});

        machines.pass(Duration.ofHours(20));

        assertThat(status().history().expectEvery()).isEmpty();
        assertThat(isOverdue()).isFalse();
    }

    @Test
    void status_withoutAStatement_isNeverOverdue() throws InterruptedException {
        Job.of(machines.holdfast(), "report").withClock(clock).run(run -> {});

        Instant later = clock.instant().plus(Duration.ofDays(29));

        assertThat(status().nextDue(later)).isEmpty();
        assertThat(status().isOverdue(later)).isFalse();
    }

    @Test
    void status_failuresOnly_isFailedAndOverdueSinceTheFirst() {
        fail();
        assertThat(status().isFailed()).isTrue();
        assertThat(isOverdue()).isFalse();

        for (int day = 0; day < 2; day++) {
            machines.pass(Duration.ofHours(14));
            fail();
        }

        assertThat(isOverdue()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void status_moreFailuresThanTheRecordKeeps_isOverdue(boolean hasSucceeded) throws InterruptedException {
        if (hasSucceeded) {
            // An earlier period counts only up to a later success.
            Job.of(machines.holdfast(), "report")
                    .withClock(clock)
                    .oncePer(JobPeriod.parse("@daily"))
                    .run(run -> {});
            machines.pass(Duration.ofDays(2));
            daily.run(run -> {});
        } else {
            fail();
        }
        Instant first = status().history().runs().get(0).start();

        for (int hour = 0; hour < 30; hour++) {
            machines.pass(Duration.ofHours(1));
            fail();
        }

        assertThat(isOverdue()).isTrue();
        assertThat(status().nextDue(clock.instant())).hasValue(first.plus(Duration.ofHours(24)));
        assertThat(status().history().runs()).hasSize(JobHistory.MOST_RUNS);
    }

    @Test
    void status_failureAfterASuccess_isFailedUntilTheNextSuccess() throws InterruptedException {
        daily.run(run -> {});
        Instant success = status().history().lastSuccess(clock.instant()).orElseThrow();
        machines.pass(Duration.ofHours(1));
        fail();

        assertThat(status().isFailed()).isTrue();
        assertThat(status().history().lastSuccess(clock.instant())).contains(success);
        daily.run(run -> {});
        assertThat(status().isFailed()).isFalse();
    }

    /** Otherwise a job that takes three hours would be overdue on each day. */
    @Test
    void status_runGoesOn_isNotOverdueBeforeItTakesLong() throws InterruptedException {
        daily.run(run -> {});
        machines.pass(Duration.ofHours(24));

        daily.run(run -> {
            machines.pass(Duration.ofHours(3));
            assertThat(status().running()).isPresent();
            assertThat(status().isFailed()).isFalse();
            assertThat(isOverdue()).isFalse();
            machines.pass(Duration.ofHours(24));
            assertThat(isOverdue()).isTrue();
        });

        assertThat(status().running()).isEmpty();
    }

    /** The way to remove a job that is no longer started. */
    @Test
    void forget_jobThatIsNoLongerStarted_isNeverOverdue() throws InterruptedException {
        daily.run(run -> {});
        CompletableFuture<Lease> lease = machines.holdfast().lock("report").acquireAsync();
        machines.pass(Duration.ZERO);
        StatedSuccess success = new StatedSuccess(lease.join(), clock);
        success.recorded();

        assertThat(success.forget()).isTrue();

        assertThat(status().isOverdue(clock.instant().plus(Duration.ofDays(3)))).isFalse();
    }
}
