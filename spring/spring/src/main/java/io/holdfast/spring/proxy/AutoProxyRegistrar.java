package io.holdfast.spring.proxy;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/** Registers Spring's creator of proxies, unless the application has one. */
public final class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

    /** Creates a registrar; called by Spring. */
    public AutoProxyRegistrar() {}

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    }
}
