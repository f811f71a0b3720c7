package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests a retry outside of a locked method, whose lock the nodes still keep for the rest of {@code holdAtLeast}. */
class RetryTest {

    /** Compared by identity; where it was created says nothing. */
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final IllegalArgumentException FAILURE = new IllegalArgumentException("of the method");

    @AutoClose
    private final Application application = Application.of(Job.class, Enabled.class);

    private final Job job = application.bean(Job.class);

    @EnableResilientMethods
    static class Enabled {}

    /** The annotated methods of these tests, which are skipped while another client holds the lock. */
    static class Job {

        private int calls;

        public int calls() {
            return calls;
        }

        @Retryable(maxRetries = 2, delay = 1)
        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public void retried() {
            calls++;
            throw FAILURE;
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public @Nullable String run(Supplier<String> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public String brief(Supplier<String> body) {
            return body.get();
        }

        @HoldfastLock(value = "#{#name}", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public @Nullable String named(String name, Supplier<String> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public CompletableFuture<String> later(CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public Mono<String> one(Mono<String> body) {
            return body;
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public Flux<String> many(Flux<String> body) {
            return body;
        }
    }

    private static String fail() {
        throw FAILURE;
    }

    private void failOnce() {
        assertThatThrownBy(() -> job.run(RetryTest::fail)).isSameAs(FAILURE);
        assertThat(application.isHeld("job")).isTrue();
    }

    @Test
    void retry_outsideOfTheLock_fails() {
        assertThatThrownBy(job::retried).hasRootCause(FAILURE);

        assertThat(job.calls()).isEqualTo(1);
    }

    @Test
    void call_afterAFailedOne_isRefusedWithTheReasonAndLogged() {
        failOnce();

        List<LogRecord> log = logged(() -> assertThatThrownBy(() -> job.run(() -> "done"))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(FAILURE)
                .hasMessageMatching("Job\\.run did not run again: its last call failed, and holdAtLeast keeps 'job' for"
                        + " up to \\d+ ms more; retry within the method, or after that time"));

        assertThat(log)
                .singleElement()
                .satisfies(entry -> assertThat(entry.getLevel()).isEqualTo(Level.WARNING))
                .satisfies(entry -> assertThat(entry.getMessage()).contains("Job.run did not run again"));
    }

    private static List<LogRecord> logged(Runnable action) {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                records.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(HoldfastLock.class.getName());
        logger.addHandler(handler);
        logger.setLevel(Level.WARNING);
        try {
            action.run();
        } finally {
            logger.setLevel(null);
            logger.removeHandler(handler);
        }
        return records;
    }

    @Test
    void call_afterASuccessfulOne_isSkipped() {
        assertThat(job.run(() -> "done")).isEqualTo("done");

        assertThat(job.run(() -> "again")).isNull();
    }

    @Test
    void call_afterAFailedOneOfAnotherLock_isSkipped() {
        assertThatThrownBy(() -> job.named("a", RetryTest::fail)).isSameAs(FAILURE);
        assertThat(job.named("b", () -> "done")).isEqualTo("done");

        assertThat(job.named("b", () -> "again")).isNull();
        assertThatThrownBy(() -> job.named("a", () -> "again")).hasCause(FAILURE);
    }

    @Test
    void call_afterAFailedOneWithoutARest_runsAgain() {
        assertThatThrownBy(() -> job.brief(RetryTest::fail)).isSameAs(FAILURE);

        assertThat(job.brief(() -> "done")).isEqualTo("done");
    }

    /** An administrator breaks the lock, so that the job can run again. */
    @Test
    void call_afterASuccessfulRetry_isSkipped() {
        failOnce();
        application.node().evict("job");
        assertThat(job.run(() -> "done")).isEqualTo("done");

        assertThat(job.run(() -> "again")).isNull();
    }

    @Test
    void call_afterAFailedFuture_fails() {
        assertThat(job.later(CompletableFuture.failedFuture(FAILURE)))
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withRootCauseInstanceOf(IllegalArgumentException.class);

        assertThat(job.later(CompletableFuture.completedFuture("done")))
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withMessageContaining("did not run again");
    }

    @Test
    void call_afterTheRollbackOfItsCaller_fails() {
        application.transaction().executeWithoutResult(status -> {
            assertThat(job.run(() -> "done")).isEqualTo("done");
            status.setRollbackOnly();
        });

        assertThatThrownBy(() -> job.run(() -> "again")).hasMessageContaining("did not run again");
    }

    @Test
    void call_afterTheCommitOfItsCaller_isSkipped() {
        application.transaction().executeWithoutResult(status -> job.run(() -> "done"));

        assertThat(job.run(() -> "again")).isNull();
    }

    @Test
    void publisher_retried_fails() {
        Mono<String> failing = job.one(Mono.fromSupplier(RetryTest::fail));

        assertThatThrownBy(() -> failing.retry(2).block()).hasMessageContaining("did not run again");
    }

    @Test
    void publisher_cancelledBeforeItsResult_failsAgain() {
        Sinks.Empty<Object> begun = Sinks.empty();
        Disposable subscriber = job.one(Mono.<String>never().doOnSubscribe(any -> begun.tryEmitEmpty()))
                .subscribe();
        begun.asMono().block();
        subscriber.dispose();

        assertThatThrownBy(() -> job.one(Mono.just("done")).block()).hasMessageContaining("did not run again");
    }

    @Test
    void publisher_afterASuccessfulOne_isSkipped() {
        assertThat(job.one(Mono.just("done")).block()).isEqualTo("done");
        assertThat(job.one(Mono.just("again")).block()).isNull();
    }

    /** A subscriber that has all it wants cancels the publisher. */
    @Test
    void publisher_afterOneWhoseFirstElementsWereTaken_isSkipped() {
        assertThat(job.many(Flux.just("a", "b")).take(1).blockLast()).isEqualTo("a");

        assertThat(job.many(Flux.just("c")).blockLast()).isNull();
    }
}
