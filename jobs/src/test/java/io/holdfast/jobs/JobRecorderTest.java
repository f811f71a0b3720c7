package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The steps of a recorder under a lease that its caller has acquired, without a thread that waits. */
class JobRecorderTest {

    private static final JobRun.Runner RUNNER = new JobRun.Runner("root", "web3", 4066, "a.B.run", "method");

    private final Machines machines = new Machines();
    private final InstantSource clock = machines.clock(Duration.ZERO);
    private final JobRule daily = JobRule.oncePer(JobPeriod.parse("@daily"), ZoneOffset.UTC, clock);

    private Lease acquire() {
        CompletableFuture<Lease> lease = machines.holdfast().lock("report").acquireAsync();
        machines.pass(Duration.ZERO);
        return lease.join();
    }

    private void release(Lease lease) {
        lease.releaseAsync();
        machines.pass(Duration.ZERO);
    }

    private JobRecorder started(Lease lease) {
        JobRecorder recorder = JobRecorder.of(lease, daily);
        recorder.decideAsync();
        recorder.started(RUNNER, Duration.ZERO);
        return recorder;
    }

    private void loseMajority() {
        machines.node(0).down();
        machines.node(1).down();
    }

    private JobHistory history() {
        return JobHistory.of(machines.holdfast().admin().record("report")).orElseThrow();
    }

    @Test
    void steps_withoutWaiting_recordTheRunAndSkipTheNext() {
        Lease first = acquire();
        JobRecorder recorder = JobRecorder.of(first, daily);
        assertThat(recorder.decideAsync()).isCompletedWithValueMatching(JobDecision::runs);
        recorder.started(RUNNER, Duration.ofMillis(7));
        assertThat(history().runs())
                .singleElement()
                .satisfies(run -> assertThat(run.outcome()).isEmpty());
        machines.pass(Duration.ofSeconds(2));
        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(true);
        release(first);

        Lease second = acquire();
        CompletableFuture<JobDecision> decision = JobRecorder.of(second, daily).decideAsync();

        assertThat(decision).isCompletedWithValueMatching(next -> next.reason() == JobDecision.Reason.SUCCEEDED);
        JobRun run = history().runs().get(0);
        assertThat(run.runner()).isEqualTo(RUNNER);
        assertThat(run.waited()).isEqualTo(Duration.ofMillis(7));
        assertThat(run.duration()).contains(Duration.ofSeconds(2));
        assertThat(history().expectEvery()).contains(Duration.ofDays(1));
    }

    @Test
    void endedAsync_tooFewNodesForAMoment_isConfirmedWhenTheyAnswer() {
        JobRecorder recorder = started(acquire());
        loseMajority();

        CompletableFuture<Boolean> ended = recorder.endedAsync(JobRun.Status.SUCCEEDED, "");

        machines.pass(Duration.ofSeconds(5));
        assertThat(ended).isNotDone();
        machines.node(0).up();
        machines.pass(Duration.ofSeconds(1));
        assertThat(ended).isCompletedWithValue(true);
    }

    @Test
    void endedAsync_tooFewNodesForLong_isFalseAfterTenSeconds() {
        JobRecorder recorder = started(acquire());
        loseMajority();

        CompletableFuture<Boolean> ended = recorder.endedAsync(JobRun.Status.SUCCEEDED, "");

        machines.pass(Duration.ofSeconds(11));
        assertThat(ended).isCompletedWithValue(false);
    }

    /** A run without a period must not wait for nodes that are down. */
    @Test
    void endedAsync_withoutAPeriod_givesUpAtOnce() {
        JobRecorder recorder = JobRecorder.of(acquire(), JobRule.always(clock));
        loseMajority();
        recorder.started(RUNNER, Duration.ZERO);

        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(false);
    }

    @Test
    void started_nodesAnswerLater_isRecordedMeanwhile() {
        JobRecorder recorder = JobRecorder.of(acquire(), JobRule.always(clock));
        loseMajority();
        recorder.started(RUNNER, Duration.ZERO);
        assertThat(history().runs()).isEmpty();

        machines.node(0).up();
        machines.pass(Duration.ofSeconds(2));

        assertThat(history().runs()).hasSize(1);
    }

    @Test
    void endedAsync_neverStarted_recordsNothing() {
        JobRecorder recorder = JobRecorder.of(acquire(), daily);

        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(false);
        assertThat(recorder.lostAsync()).isCompletedWithValue(false);
        assertThat(history()).isEqualTo(JobHistory.NONE);
    }

    @Test
    void endedAsync_leaseIsLost_recordsNoSuccess() {
        Lease lease = acquire();
        JobRecorder recorder = started(lease);
        lease.limit(Duration.ZERO);

        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(true);

        assertThat(history().mark()).isEmpty();
        assertThat(history().runs().get(0).isSuccess()).isFalse();
    }

    @Test
    void lostAsync_afterASuccess_takesItBack() {
        Lease lease = acquire();
        JobRecorder recorder = started(lease);
        recorder.endedAsync(JobRun.Status.SUCCEEDED, "");
        assertThat(history().mark()).isPresent();
        release(lease);

        assertThat(recorder.lostAsync()).isCompletedWithValue(true);

        assertThat(history().mark()).isEmpty();
        assertThat(history().runs().get(0).outcome().orElseThrow().isLost()).isTrue();
    }

    /** A cancellation that arrives while the success is being recorded must not make it a failure. */
    @Test
    void endedAsync_secondEnd_changesNothing() {
        JobRecorder recorder = started(acquire());
        loseMajority();
        CompletableFuture<Boolean> first = recorder.endedAsync(JobRun.Status.SUCCEEDED, "");

        CompletableFuture<Boolean> second = recorder.endedAsync(JobRun.Status.FAILED, "cancelled");

        machines.node(0).up();
        machines.pass(Duration.ofSeconds(1));
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(history().mark()).isPresent();
        assertThat(history().runs().get(0).isSuccess()).isTrue();
    }

    /** The timers of a closed client never fire. */
    @Test
    void endedAsync_clientIsClosedDuringAPause_isFalseAtOnce() {
        JobRecorder recorder = started(acquire());
        loseMajority();
        CompletableFuture<Boolean> ended = recorder.endedAsync(JobRun.Status.SUCCEEDED, "");
        assertThat(ended).isNotDone();

        machines.closeWithoutTimers();

        assertThat(ended).isCompletedWithValue(false);
    }

    @Test
    void ended_clientWasClosedBefore_isFalseAtOnce() {
        JobRecorder recorder = started(acquire());
        loseMajority();

        machines.closeWithoutTimers();

        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(false);
    }

    @Test
    void decideAsync_clientIsClosedDuringAPause_fails() {
        Lease lease = acquire();
        loseMajority();
        CompletableFuture<JobDecision> decision = JobRecorder.of(lease, daily).decideAsync();
        assertThat(decision).isNotDone();

        machines.closeWithoutTimers();

        assertThat(decision).isCompletedExceptionally();
    }

    /** Holders of a shared lock would overwrite each other's records. */
    @Test
    void steps_underASharedLease_recordNothing() {
        CompletableFuture<Lease> lease =
                machines.holdfast().lock("report").shared().acquireAsync();
        machines.pass(Duration.ZERO);
        JobRecorder recorder = JobRecorder.of(lease.join(), JobRule.always(clock));
        recorder.started(RUNNER, Duration.ZERO);

        assertThat(recorder.endedAsync(JobRun.Status.SUCCEEDED, "")).isCompletedWithValue(false);
        assertThat(history()).isEqualTo(JobHistory.NONE);
    }

    @Test
    void decide_clientIsClosedMeanwhile_throwsAsOtherMethodsDo() {
        Lease lease = acquire();
        loseMajority();
        machines.schedule(Duration.ofSeconds(1), machines::closeWithoutTimers);

        assertThatThrownBy(JobRecorder.of(lease, daily)::decide).isInstanceOf(IllegalStateException.class);
    }
}
