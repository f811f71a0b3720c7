package io.holdfast.spring.leader;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The beans behind {@link OnlyLeader}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LeaderConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderAdvisor holdfastOnlyLeaderAdvisor(ConfigurableListableBeanFactory beans) {
        return new OnlyLeaderAdvisor(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderCheck holdfastOnlyLeaderCheck(ConfigurableListableBeanFactory beans) {
        return new OnlyLeaderCheck(beans);
    }
}
