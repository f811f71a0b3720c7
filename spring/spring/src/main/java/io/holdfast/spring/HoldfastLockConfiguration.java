package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.spring.proxy.AutoProxyRegistrar;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * The beans behind {@link HoldfastLock}; the property {@code holdfast.annotation.order} sets the order of the advisor.
 */
@Configuration(proxyBeanMethods = false)
@Import(AutoProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class HoldfastLockConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static HoldfastLockAdvisor holdfastLockAdvisor(ConfigurableListableBeanFactory beans, Environment environment) {
        HoldfastLockAdvisor advisor = new HoldfastLockAdvisor(beans);
        advisor.setOrder(
                environment.getProperty("holdfast.annotation.order", Integer.class, HoldfastLockAdvisor.DEFAULT_ORDER));
        return advisor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethodCheck holdfastLockedMethodCheck(ConfigurableListableBeanFactory beans) {
        return new LockedMethodCheck(beans);
    }

    @Bean
    @Lazy(false)
    LeaseLostPublisher holdfastLeaseLostPublisher(Holdfast holdfast, ApplicationContext context) {
        return LeaseLostPublisher.in(context, holdfast);
    }
}
