package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the runs of tasks that the provider records, as {@code holdfast log} shows them. */
class RecordTest {

    private final SystemTime time = new SystemTime();
    private final Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1));
    private final HoldfastLockProvider provider = new HoldfastLockProvider(holdfast);

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    private static LockConfiguration job() {
        return new LockConfiguration(ClockProvider.now(), "report", Duration.ofHours(1), Duration.ZERO);
    }

    private List<JobRun> runs() {
        return JobHistory.of(holdfast.admin().record("shedlock:report"))
                .orElseThrow()
                .runs();
    }

    @Test
    void task_ends_isRecordedWithItsProcess() {
        new DefaultLockingTaskExecutor(provider).executeWithLock((Runnable) () -> {}, job());

        assertThat(runs()).singleElement().satisfies(run -> {
            assertThat(run.runner().program()).isEqualTo("report");
            assertThat(run.runner().kind()).isEqualTo(JobRun.Runner.TASK);
            assertThat(run.runner().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(run.duration()).isPresent();
        });
    }

    @Test
    void task_ofAProviderWithoutRecords_leavesNone() {
        SimpleLock lock = provider.withoutRecords().lock(job()).orElseThrow();
        assertThat(provider.lock(job())).isEmpty();
        lock.unlock();

        assertThat(JobHistory.of(holdfast.admin().record("shedlock:report")).map(JobHistory::runs))
                .hasValueSatisfying(runs -> assertThat(runs).isEmpty());
        assertThat(provider.lock(job())).isPresent();
    }

    /** ShedLock unlocks in the same way after a failure, so no end may count as a success. */
    @Test
    void task_throws_isNotRecordedAsASuccess() {
        assertThatThrownBy(() -> new DefaultLockingTaskExecutor(provider)
                        .executeWithLock(
                                (Runnable) () -> {
                                    throw new IllegalArgumentException("of the task");
                                },
                                job()))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(runs()).singleElement().satisfies(run -> {
            assertThat(run.outcome().orElseThrow().status()).isEqualTo(JobRun.Status.ENDED);
            assertThat(run.isSuccess()).isFalse();
        });
    }

    @Test
    void task_extendsItsLock_isOneRun() {
        SimpleLock lock = provider.lock(job()).orElseThrow();

        lock.extend(Duration.ofHours(2), Duration.ZERO).orElseThrow().unlock();

        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(run.duration()).isPresent());
    }

    @Test
    void task_extendsALostLock_isRecordedAsLost() {
        SimpleLock lock = provider.lock(job()).orElseThrow();
        HoldfastLockProvider.current().orElseThrow().limit(Duration.ZERO);

        assertThat(lock.extend(Duration.ofHours(2), Duration.ZERO)).isEmpty();

        assertThat(runs())
                .singleElement()
                .satisfies(
                        run -> assertThat(run.outcome().orElseThrow().status()).isEqualTo(JobRun.Status.LOST));
    }

    @Test
    void task_lockIsLost_isRecordedAsLost() {
        SimpleLock lock = provider.lock(job()).orElseThrow();
        HoldfastLockProvider.current().orElseThrow().limit(Duration.ZERO);
        lock.unlock();

        assertThat(runs()).allMatch(run -> !run.isSuccess());
    }
}
