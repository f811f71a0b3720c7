package io.holdfast.spring.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.spring.Application;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests methods that succeed once per period, in one process. */
class OncePerTest {

    @AutoClose
    private final Application application = Application.of(Jobs.class);

    private final Jobs jobs = application.bean(Jobs.class);

    /** The annotated methods of these tests. */
    static class Jobs {

        @HoldfastLock(value = "job", oncePer = "${job.period:1h}")
        public @Nullable String run(Supplier<String> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", oncePer = "1h")
        public CompletableFuture<String> later(CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock(value = "job", oncePer = "1h")
        public Mono<String> one(Mono<String> body) {
            return body;
        }

        @HoldfastLock(value = "job", oncePer = "1h")
        public Flux<String> many(Flux<String> body) {
            return body;
        }

        @HoldfastLock("job")
        public @Nullable String under(Supplier<@Nullable String> body) {
            return body.get();
        }

        @HoldfastLock(value = "job:#{#ids}", oncePer = "1h")
        public @Nullable String several(List<String> ids) {
            return "ran";
        }
    }

    private List<JobRun> runs() {
        return JobHistory.of(application.record("job")).orElseThrow().runs();
    }

    private JobRun.Outcome last() {
        return runs().get(0).outcome().orElseThrow();
    }

    private static String fail() {
        throw new IllegalArgumentException("of the method");
    }

    @Test
    void call_afterASuccess_isSkippedInThePeriod() {
        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");

        assertThat(jobs.run(() -> "again")).isNull();
        assertThat(jobs.one(Mono.just("again")).block()).isNull();
        assertThat(jobs.later(CompletableFuture.completedFuture("again")))
                .succeedsWithin(Duration.ofMinutes(1))
                .isNull();
        assertThat(application.isHeld("job")).isFalse();
    }

    @Test
    void call_success_isRecordedWithMethodAndProcess() {
        jobs.run(() -> "ran");

        assertThat(runs()).singleElement().satisfies(run -> {
            assertThat(run.runner().program()).isEqualTo("Jobs.run");
            assertThat(run.runner().kind()).isEqualTo(JobRun.Runner.METHOD);
            assertThat(run.runner().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(run.duration()).isPresent();
            assertThat(run.isSuccess()).isTrue();
        });
    }

    @Test
    void call_methodThrows_isRecordedAndRunsAgain() {
        assertThatThrownBy(() -> jobs.run(OncePerTest::fail)).isInstanceOf(IllegalArgumentException.class);

        assertThat(last().status()).isEqualTo(JobRun.Status.FAILED);
        assertThat(last().text()).isEqualTo("java.lang.IllegalArgumentException");
        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void future_fails_isRecordedAndRunsAgain() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = jobs.later(body);
        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(run.outcome()).isEmpty());
        body.completeExceptionally(new IllegalArgumentException("of the method"));

        assertThat(result).failsWithin(Duration.ofMinutes(1));
        assertThat(last().text()).isEqualTo("java.lang.IllegalArgumentException");
        assertThat(jobs.later(CompletableFuture.completedFuture("ran")))
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo("ran");
        assertThat(last().status()).isEqualTo(JobRun.Status.SUCCEEDED);
        assertThat(application.isHeld("job")).isFalse();
    }

    @Test
    void future_cancelled_releasesTheLockAndIsNoSuccess() {
        CompletableFuture<String> body = new CompletableFuture<>();

        jobs.later(body).cancel(true);

        assertThat(body).isCancelled();
        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void publisher_fails_isRecordedAndRunsAgain() {
        Mono<String> failing = jobs.one(Mono.fromSupplier(OncePerTest::fail));
        assertThatThrownBy(failing::block).isInstanceOf(IllegalArgumentException.class);
        assertThat(last().text()).isEqualTo("java.lang.IllegalArgumentException");

        assertThat(jobs.many(Flux.just("a", "b")).collectList().block()).containsExactly("a", "b");
        assertThat(last().status()).isEqualTo(JobRun.Status.SUCCEEDED);
        assertThat(jobs.many(Flux.just("c")).collectList().block()).isEmpty();
    }

    /** Reactor throws such errors instead of signalling them. */
    @Test
    void publisher_classIsMissing_isRecordedAndRunsAgain() {
        Mono<String> failing = jobs.one(Mono.fromSupplier(() -> {
            throw new NoClassDefFoundError("Report");
        }));

        assertThatThrownBy(failing::block).isInstanceOf(NoClassDefFoundError.class);
        assertThat(last().text()).isEqualTo("java.lang.NoClassDefFoundError");
        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void publisher_cancelled_isNoSuccess() {
        assertThat(jobs.many(Flux.just("a", "b")).take(1).blockLast()).isEqualTo("a");

        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void call_lockIsLost_isNoSuccess() {
        assertThatThrownBy(() -> jobs.run(() -> {
                    CurrentLease.get().limit(Duration.ZERO);
                    return "lost";
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    /** The node has dropped the lock, which only the release shows. */
    @Test
    void call_lockIsGoneAtTheRelease_isNoSuccess() {
        assertThatThrownBy(() -> jobs.run(() -> {
                    application.evict("job");
                    return "lost";
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void call_heldElsewhere_waitsForItsEnd() {
        Lease other = application.holdElsewhere("job");
        CompletableFuture<@Nullable String> call = CompletableFuture.supplyAsync(() -> jobs.run(() -> "ran"));

        // The wait limit of the lock is over twice.
        for (int limit = 0; limit < 2; limit++) {
            assertThatThrownBy(() -> jobs.under(() -> "never")).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(call).isNotDone();
        other.close();
        assertThat(call).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("ran");
    }

    @Test
    void call_underTheLockOrInTheTransactionOfItsCaller_fails() {
        assertThatThrownBy(() -> jobs.under(() -> jobs.run(() -> "never")))
                .hasMessageContaining("Jobs.run did not run")
                .hasMessageContaining("its caller holds that");
        assertThatThrownBy(() -> jobs.under(() -> jobs.one(Mono.just("never")).block()))
                .hasMessageContaining("its caller holds that");
        assertThatThrownBy(() -> application.inTransaction(() -> jobs.run(() -> "never")))
                .hasMessageContaining("its caller has a transaction");
        assertThat(jobs.run(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void call_severalLocks_fails() {
        assertThat(jobs.several(List.of("a"))).isEqualTo("ran");
        assertThat(jobs.several(List.of("b"))).isEqualTo("ran");
        assertThat(jobs.several(List.of("b"))).isNull();
        assertThatThrownBy(() -> jobs.several(List.of("c", "d"))).hasMessageContaining("oncePer needs one lock");
    }
}
