package io.holdfast.spring.boot.metrics;

import io.holdfast.micrometer.LockGroups;
import io.holdfast.spring.boot.HoldfastProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the groups of locks, on which meters and observations agree. */
@Configuration(proxyBeanMethods = false)
class LockGroupsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockGroups holdfastLockGroups(HoldfastProperties properties) {
        return properties.metrics().group() == HoldfastProperties.Group.ALL
                ? LockGroups.by(name -> "all", 1)
                : LockGroups.beforeColon(properties.prefix());
    }
}
