package io.holdfast.spring.boot.metrics;

import io.holdfast.micrometer.HoldfastObservations;
import io.holdfast.micrometer.LockGroups;
import io.holdfast.spring.LockObserver;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.HoldfastProperties;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Configures the observations of annotated methods, from which tracers make spans, if the application has a registry.
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({ObservationRegistry.class, HoldfastObservations.class})
@ConditionalOnBean({ObservationRegistry.class, HoldfastProperties.class})
@Import(LockGroupsConfiguration.class)
public final class HoldfastObservationAutoConfiguration {

    HoldfastObservationAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    HoldfastObservations holdfastObservations(ObservationRegistry registry, LockGroups groups) {
        return new HoldfastObservations(registry, groups);
    }

    @Bean
    @ConditionalOnMissingBean
    LockObserver holdfastLockObserver(HoldfastObservations observations) {
        return new ObservedLocks(observations);
    }
}
