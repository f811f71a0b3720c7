package io.holdfast.spring.boot;

import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.leader.OnlyLeader;
import io.holdfast.spring.proxy.AnnotatedMethodCheck;
import java.lang.annotation.Annotation;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Rejects annotated methods also where {@link HoldfastAutoConfiguration} is absent: an application may exclude it, and
 * a slice of tests leaves it out. Their methods would run unprotected, without a message.
 */
final class UnprotectedMethods implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.addBeanFactoryPostProcessor(beans -> {
            addCheck(HoldfastLock.class, beans);
            addCheck(OnlyLeader.class, beans);
        });
    }

    private static <A extends Annotation> void addCheck(Class<A> annotation, ConfigurableListableBeanFactory beans) {
        ResolvableType check = ResolvableType.forClassWithGenerics(AnnotatedMethodCheck.class, annotation);
        if (beans.getBeanNamesForType(check, true, false).length == 0
                && beans instanceof BeanDefinitionRegistry registry) {
            AnnotatedMethodCheck<A> added = new AnnotatedMethodCheck<>(annotation, beans);
            // Spring has run the post-processors of this kind by now.
            added.postProcessBeanDefinitionRegistry(registry);
            RootBeanDefinition definition = new RootBeanDefinition(AnnotatedMethodCheck.class, () -> added);
            definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
            definition.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
            registry.registerBeanDefinition("holdfastCheckOf" + annotation.getSimpleName(), definition);
        }
    }
}
