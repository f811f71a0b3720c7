package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A job of two machines on three servers, which are restarted between its runs. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ServerJobTest {

    /** Short, because a restarted server does not vote for a tenth longer. */
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().maxLease(Duration.ofSeconds(3)).build();

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @AutoClose
    private final Holdfast first = Holdfast.connect(servers.addresses(), OPTIONS);

    @AutoClose
    private final Holdfast second = Holdfast.connect(servers.addresses(), OPTIONS);

    private final AtomicInteger ran = new AtomicInteger();

    @BeforeEach
    void admitServers() {
        assertThat(first.admin().admit())
                .allMatch(node -> Optional.ofNullable(node.value()).isPresent());
    }

    private JobResult run(Holdfast machine) throws InterruptedException {
        return Job.of(machine, "report").oncePer(JobPeriod.parse("1h")).run(run -> ran.incrementAndGet());
    }

    @Test
    void run_serversAreRestartedBetweenRuns_isSkipped() throws InterruptedException {
        assertThat(run(first).kind()).isEqualTo(JobResult.Kind.RAN);

        servers.get(0).restartEmpty();
        servers.get(1).restartEmpty();
        assertThat(run(second).kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);
        servers.get(2).restartEmpty();
        assertThat(run(first).kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);

        assertThat(ran).hasValue(1);
        assertThat(Job.of(second, "report").history().orElseThrow().runs())
                .singleElement()
                .satisfies(run -> assertThat(run.isSuccess()).isTrue());
    }

    @Test
    void run_manyThreadsOfTwoMachines_runOnce() {
        List<CompletableFuture<JobResult>> all = Stream.generate(() -> List.of(first, second))
                .limit(4)
                .flatMap(List::stream)
                .map(machine -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return run(machine);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();

        assertThat(all.stream().map(CompletableFuture::join).map(JobResult::kind))
                .containsOnlyOnce(JobResult.Kind.RAN)
                .containsOnly(JobResult.Kind.RAN, JobResult.Kind.SUCCEEDED_BEFORE);
        assertThat(ran).hasValue(1);
    }
}
