package io.holdfast.spring.boot.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/**
 * Answers requests whose lock was refused with HTTP 423 and 503, in both web frameworks of Spring, if {@code
 * holdfast.web.problem-details} is set.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnBooleanProperty("holdfast.web.problem-details")
public final class HoldfastWebAutoConfiguration {

    HoldfastWebAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static LockProblems holdfastLockProblems() {
        return new LockProblems();
    }
}
