package io.holdfast.spring.boot.metrics;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobOverview;
import io.holdfast.micrometer.HoldfastMetrics;
import io.holdfast.micrometer.JobMetrics;
import io.holdfast.micrometer.LockGroups;
import io.holdfast.micrometer.MeteredNodes;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.HoldfastProperties;
import io.holdfast.spring.boot.NodeDecorator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Configures the meters of locks and nodes, and of jobs if that is wanted, if the application has a registry. */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({MeterRegistry.class, HoldfastMetrics.class})
@ConditionalOnBean({MeterRegistry.class, HoldfastProperties.class})
@Import(LockGroupsConfiguration.class)
public final class HoldfastMetricsAutoConfiguration {

    HoldfastMetricsAutoConfiguration() {}

    /** Measures the requests to nodes. */
    @Bean
    NodeDecorator holdfastMeteredNodes(MeterRegistry registry) {
        return client -> MeteredNodes.of(client, registry, Tags.empty());
    }

    /** The meters of the client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Holdfast.class)
    static class OfLocks {

        @Bean
        @ConditionalOnMissingBean
        HoldfastMetrics holdfastMetrics(Holdfast holdfast, LockGroups groups) {
            return new HoldfastMetrics(holdfast, groups, Tags.empty());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBooleanProperty(name = "holdfast.metrics.jobs")
        JobMetrics holdfastJobMetrics(Holdfast holdfast, JobOverview overview) {
            return new JobMetrics(holdfast, overview, JobMetrics.names(), Tags.empty());
        }
    }
}
