package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A job of a plain program, without a period and with one, on nodes in virtual time. */
class JobTest {

    private final Machines machines = new Machines();
    private final InstantSource clock = machines.clock(Duration.ZERO);
    private final Job always = Job.of(machines.holdfast(), "report").withClock(clock);
    private final Job hourly = always.oncePer(JobPeriod.parse("1h"));
    private final List<String> ran = new ArrayList<>();

    private JobResult run(Job job) throws InterruptedException {
        return job.run(run -> ran.add("ran"));
    }

    private JobRun last() {
        return always.history().orElseThrow().runs().get(0);
    }

    @Test
    void run_withoutAPeriod_runsAlwaysAndIsRecorded() throws InterruptedException {
        assertThat(run(always.withProgram("report.main")).kind()).isEqualTo(JobResult.Kind.RAN);
        assertThat(run(always).hasRun()).isTrue();

        assertThat(ran).hasSize(2);
        List<JobRun> runs = always.history().orElseThrow().runs();
        assertThat(runs).hasSize(2).allMatch(JobRun::isSuccess);
        assertThat(runs.get(1).runner().program()).isEqualTo("report.main");
        assertThat(runs.get(1).runner().kind()).isEqualTo("java");
    }

    @Test
    void run_afterASuccessInThePeriod_isSkipped() throws InterruptedException {
        run(hourly);

        JobResult second = run(hourly);

        assertThat(second.kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);
        assertThat(second.success()).contains(last().start());
        assertThat(ran).hasSize(1);
        machines.pass(Duration.ofHours(1).plusMillis(1));
        assertThat(run(hourly).hasRun()).isTrue();
    }

    /** Otherwise a job that ran an hour ago looks as if it had never run. */
    @Test
    void history_noNodeAnswers_isUnknown() throws InterruptedException {
        assertThat(always.history().orElseThrow().runs()).isEmpty();
        run(always);
        IntStream.range(0, 3).forEach(node -> machines.node(node).silent());

        assertThatThrownBy(always::history)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is unknown whether 'report' ever ran");
    }

    @Test
    void run_bodyThrows_isRecordedAsFailedAndRunsAgain() throws InterruptedException {
        IOException failure = new IOException("disk full");

        assertThatThrownBy(() -> hourly.run(run -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(last().outcome().orElseThrow().status()).isEqualTo(JobRun.Status.FAILED);
        assertThat(last().outcome().orElseThrow().text()).isEqualTo("java.io.IOException");
        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.RAN);
    }

    @Test
    void run_body_seesTheEarlierRuns() throws InterruptedException {
        List<JobRun> seen = new ArrayList<>();
        run(always);

        always.run(run -> seen.addAll(run.earlierRuns()));

        assertThat(seen)
                .singleElement()
                .satisfies(run -> assertThat(run.isSuccess()).isTrue());
    }

    @Test
    void run_heldByAnotherRun_isNoFailure() throws InterruptedException {
        CompletableFuture<Lease> other = machines.holdfast().lock("report").acquireAsync();
        machines.pass(Duration.ZERO);

        Job impatient = hourly.withOptions(
                LockOptions.builder().waitLimit(Duration.ofSeconds(30)).build());
        assertThat(run(impatient).kind()).isEqualTo(JobResult.Kind.HELD);

        other.join().releaseAsync();
        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.RAN);
    }

    /** The success must not count: another machine may have run the job as well. */
    @Test
    void run_lockIsLostMeanwhile_isNoSuccess() throws InterruptedException {
        assertThatThrownBy(() -> hourly.run(run -> {
                    machines.node(0).down();
                    machines.node(1).down();
                    machines.pass(Machines.MAX_LEASE.plusSeconds(30));
                    machines.node(0).up();
                    machines.node(1).up();
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(last().outcome().orElseThrow().status()).isEqualTo(JobRun.Status.LOST);
        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.RAN);
    }

    /** The nodes have dropped the lock, which the client notices only when it releases the lock. */
    @Test
    void run_lockIsGoneAtTheRelease_isNoSuccess() throws InterruptedException {
        assertThatThrownBy(() -> hourly.run(run -> {
                    for (int node = 0; node < 3; node++) {
                        machines.node(node).admin().evict("report", "");
                    }
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(last().outcome().orElseThrow().isLost()).isTrue();
        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.RAN);
    }

    @Test
    void run_recordInAnotherFormat_runsOnlyWithoutAPeriodAndKeepsTheRecord() throws InterruptedException {
        run(always);
        for (int node = 0; node < 3; node++) {
            machines.node(node).store("report", "runs-9\twhatever");
        }

        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.UNKNOWN);
        assertThat(run(hourly).message()).contains("install the same version");
        assertThat(run(always).kind()).isEqualTo(JobResult.Kind.RAN_UNRECORDED);
        assertThat(machines.node(0).text("report")).isEqualTo("runs-9\twhatever");
        assertThat(always.history()).isEmpty();
    }

    /** Such as a machine that is set up with a clock of the future. */
    @Test
    void run_successInTheFarFuture_doesNotPreventLaterRuns() throws InterruptedException {
        run(hourly.withClock(machines.clock(Duration.ofDays(400))));

        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.RAN);
        assertThat(run(hourly).kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);
    }

    /** Within the tolerance a wrong clock delays the next run by its lead, and no more. */
    @Test
    void run_successInTheNearFuture_isFollowedByTheNextRun() throws InterruptedException {
        Job minutely = always.oncePer(JobPeriod.parse("1m"));
        run(minutely.withClock(machines.clock(Duration.ofMinutes(9))));

        machines.pass(Duration.ofMinutes(9));
        assertThat(run(minutely).hasRun()).isFalse();
        machines.pass(Duration.ofMinutes(1).plusMillis(1));
        assertThat(run(minutely).hasRun()).isTrue();
    }

    @Test
    void expectEvery_isRecordedAndStays() throws InterruptedException {
        run(always.expectEvery(Duration.ofDays(1)));
        run(always);

        assertThat(always.history().orElseThrow().expectEvery()).contains(Duration.ofDays(1));
        assertThatThrownBy(() -> always.expectEvery(Duration.ofDays(400)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT9600H");
    }
}
