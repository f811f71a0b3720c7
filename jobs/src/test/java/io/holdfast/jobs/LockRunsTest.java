package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock and its record are read one after the other, while runs begin and end. */
class LockRunsTest {

    private final Machines machines = new Machines();
    private final LockAdmin admin = machines.holdfast().admin();

    /** A run that goes on. */
    private record Run(Machines machines, Lease lease, JobRecorder recorder) {

        void end() {
            recorder.endedAsync(JobRun.Status.SUCCEEDED, "");
            lease.releaseAsync();
            machines.pass(Duration.ZERO);
        }
    }

    private Run begin() {
        CompletableFuture<Lease> lease = machines.holdfast().lock("report").acquireAsync();
        machines.pass(Duration.ZERO);
        JobRecorder recorder = JobRecorder.of(lease.join(), JobRule.always(machines.clock(Duration.ZERO)));
        recorder.decideAsync();
        recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.JAVA, "main"), Duration.ZERO);
        machines.pass(Duration.ZERO);
        return new Run(machines, lease.join(), recorder);
    }

    private static boolean isRunning(LockRuns read) {
        return last(read).isRunning(read.lock());
    }

    private static JobRun last(LockRuns read) {
        return read.history().flatMap(JobHistory::lastRun).orElseThrow();
    }

    /** A short job would look failed in one of some readings, and alert. */
    @Test
    void of_runEndsAfterItsRecordWasRead_hasItsEnd() {
        Run run = begin();
        machines.node(2).onRead(run::end);

        LockRuns read = LockRuns.of(admin, "report");

        assertThat(last(read).isSuccess()).isTrue();
    }

    @Test
    void of_anotherRunBeginsAfterTheRecordWasRead_isRunning() {
        Run run = begin();
        machines.node(2).onRead(() -> {
            run.end();
            begin();
        });

        assertThat(isRunning(LockRuns.of(admin, "report"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_runBeginsAfterTheLockWasRead_isRunning(boolean hasPrevious) {
        Run previous = begin();
        if (!hasPrevious) {
            previous.end();
        }
        LockStatus before = admin.status("report");
        if (hasPrevious) {
            previous.end();
        }
        begin();

        assertThat(isRunning(LockRuns.of(admin, List.of(before)).get(0))).isTrue();
    }

    @Test
    void of_runBeginsAfterTheLockWasReadAndEndsSoon_hasItsEnd() {
        LockStatus free = admin.status("report");
        Run run = begin();
        machines.node(2).onRead(run::end);

        assertThat(last(LockRuns.of(admin, List.of(free)).get(0)).isSuccess()).isTrue();
    }

    @Test
    void of_processWasKilled_didNotReportItsEnd() {
        Run run = begin();
        admin.breakLock("report");
        machines.pass(Duration.ZERO);

        LockRuns read = LockRuns.of(admin, "report");

        assertThat(last(read).fence()).isEqualTo(run.lease().fencingToken().value());
        assertThat(last(read).outcome()).isEmpty();
        assertThat(isRunning(read)).isFalse();
    }
}
