package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobOverview;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Configures the health of the nodes; {@code management.health.holdfast.enabled=false} switches it off. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Holdfast.class, JobOverview.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
@EnableConfigurationProperties(HoldfastHealthProperties.class)
public final class HoldfastHealthAutoConfiguration {

    HoldfastHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
    HoldfastHealthIndicator holdfastHealthIndicator(
            Holdfast holdfast, JobOverview jobs, HoldfastHealthProperties properties) {
        return new HoldfastHealthIndicator(holdfast, jobs, properties.timeout(), properties.downIfOverdue());
    }
}
