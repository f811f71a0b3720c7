package io.holdfast.spring.leader;

import io.holdfast.spring.HoldfastLockAdvisor;
import io.holdfast.spring.proxy.AutoProxyRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/** The beans behind {@link OnlyLeader}. */
@Configuration(proxyBeanMethods = false)
@Import(AutoProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LeaderConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderAdvisor holdfastOnlyLeaderAdvisor(
            ConfigurableListableBeanFactory beans, ObjectProvider<HoldfastLockAdvisor> locks) {
        return new OnlyLeaderAdvisor(
                beans,
                locks.stream().mapToInt(HoldfastLockAdvisor::getOrder).min().orElse(HoldfastLockAdvisor.DEFAULT_ORDER));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderCheck holdfastOnlyLeaderCheck(ConfigurableListableBeanFactory beans) {
        return new OnlyLeaderCheck(beans);
    }
}
