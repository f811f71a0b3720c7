package io.holdfast.spring.boot;

import io.holdfast.spring.leader.LeaderLifecycle;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers a candidate for each role in {@code holdfast.leader.roles}. */
final class LeaderRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    LeaderRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        Binder.get(environment).bind("holdfast.leader.roles", Bindable.listOf(String.class)).orElse(List.of()).stream()
                .distinct()
                .forEach(role -> register("holdfastLeader-" + required(role), role, registry));
    }

    private static String required(String role) {
        if (role.isBlank()) {
            throw new ConfigurationException(
                    "holdfast.leader.roles contains an empty role", "Remove the comma that is too many.", null);
        }
        return role;
    }

    /** A second candidate of this process would compete with that of the parent context. */
    private static void register(String bean, String role, BeanDefinitionRegistry registry) {
        BeanFactory parent =
                registry instanceof HierarchicalBeanFactory factory ? factory.getParentBeanFactory() : null;
        if (parent == null || !parent.containsBean(bean)) {
            registry.registerBeanDefinition(bean, candidate(role));
        }
    }

    private static AbstractBeanDefinition candidate(String role) {
        return BeanDefinitionBuilder.genericBeanDefinition(LeaderLifecycle.class)
                .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR)
                .addConstructorArgValue(role)
                .getBeanDefinition();
    }
}
