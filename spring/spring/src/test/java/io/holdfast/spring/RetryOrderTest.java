package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.fallback.FallbackExecutor;
import io.github.resilience4j.spring6.fallback.configure.FallbackConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryAspect;
import io.github.resilience4j.spring6.retry.configure.RetryAspectExt;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.SpelResolver;
import io.github.resilience4j.spring6.spelresolver.configure.SpelResolverConfiguration;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;

/** Tests the orders that docs/spring-boot.md states for retries: within the lock, or outside of it. */
class RetryOrderTest {

    private static final int OUTSIDE = HoldfastLockAdvisor.DEFAULT_ORDER - 1;
    private static final int CALLS = 3;

    /** The job that each of the retries repeats. Its calls fail, and the nodes keep its lock after the first one. */
    abstract static class Job {

        private int calls;

        int calls() {
            return calls;
        }

        void fail() {
            calls++;
            throw new IllegalArgumentException("call " + calls);
        }

        abstract void run();
    }

    @EnableResilientMethods
    static class OfSpring extends Job {
        @Override
        @org.springframework.resilience.annotation.Retryable(maxRetries = CALLS - 1, delay = 1)
        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public void run() {
            fail();
        }
    }

    /** The job of spring-retry. */
    static class OfSpringRetry extends Job {
        @Override
        @org.springframework.retry.annotation.Retryable(maxAttempts = CALLS, backoff = @Backoff(1))
        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public void run() {
            fail();
        }
    }

    @EnableRetry
    static class SpringRetry {}

    @EnableRetry(order = OUTSIDE)
    static class SpringRetryOutside {}

    /** The job of resilience4j. */
    static class OfResilience4j extends Job {
        @Override
        @Retry(name = "job")
        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public void run() {
            fail();
        }
    }

    @EnableAspectJAutoProxy
    @Import({FallbackConfiguration.class, SpelResolverConfiguration.class})
    static class Resilience4j {

        int order() {
            return new RetryConfigurationProperties().getRetryAspectOrder();
        }

        @Bean
        RetryAspect retries(FallbackExecutor fallback, SpelResolver expressions, List<RetryAspectExt> extensions) {
            RetryConfigurationProperties properties = new RetryConfigurationProperties();
            properties.setRetryAspectOrder(order());
            RetryConfig config = RetryConfig.custom()
                    .maxAttempts(CALLS)
                    .waitDuration(Duration.ofMillis(1))
                    .build();
            return new RetryAspect(properties, RetryRegistry.of(config), extensions, fallback, expressions, null);
        }
    }

    static class Resilience4jOutside extends Resilience4j {
        @Override
        int order() {
            return OUTSIDE;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {SpringRetry.class, Resilience4j.class})
    void retry_byDefaultOfOtherLibraries_isWithinTheLock(Class<?> retries) {
        Class<? extends Job> type = retries == SpringRetry.class ? OfSpringRetry.class : OfResilience4j.class;
        try (Application application = Application.of(type, retries)) {
            Job job = application.bean(type);

            assertThatThrownBy(job::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("call " + CALLS);
            assertThat(job.calls()).isEqualTo(CALLS);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {SpringRetryOutside.class, Resilience4jOutside.class})
    void retry_outsideOfTheLock_failsWithTheFirstFailure(Class<?> retries) {
        Class<? extends Job> type = retries == SpringRetryOutside.class ? OfSpringRetry.class : OfResilience4j.class;
        requireFirstFailure(type, retries);
    }

    @Test
    void retry_ofSpring_isOutsideOfTheLock() {
        requireFirstFailure(OfSpring.class);
    }

    private static void requireFirstFailure(Class<? extends Job> type, Class<?>... retries) {
        Class<?>[] beans = retries.length == 0 ? new Class<?>[] {type} : new Class<?>[] {type, retries[0]};
        try (Application application = Application.of(beans)) {
            Job job = application.bean(type);

            assertThatThrownBy(job::run)
                    .hasMessageContaining("did not run again")
                    .hasRootCauseMessage("call 1");
            assertThat(job.calls()).isEqualTo(1);
        }
    }
}
