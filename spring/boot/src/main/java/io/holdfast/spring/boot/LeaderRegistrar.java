package io.holdfast.spring.boot;

import io.holdfast.spring.LockFactory;
import io.holdfast.spring.leader.LeaderLifecycle;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;

/**
 * Registers a candidate for each role in {@code holdfast.leader.roles}, when the application starts: the roles of an
 * application that Spring has processed ahead of time are not those of its build.
 */
record LeaderRegistrar(ApplicationContext context) implements BeanDefinitionRegistryPostProcessor {

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        Binder.get(context.getEnvironment())
                .bind("holdfast.leader.roles", Bindable.listOf(String.class))
                .orElse(List.of())
                .stream()
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
    private void register(String bean, String role, BeanDefinitionRegistry registry) {
        BeanFactory parent =
                registry instanceof HierarchicalBeanFactory factory ? factory.getParentBeanFactory() : null;
        if (parent == null || !parent.containsBean(bean)) {
            registry.registerBeanDefinition(bean, candidate(role));
        }
    }

    private RootBeanDefinition candidate(String role) {
        RootBeanDefinition candidate = new RootBeanDefinition(
                LeaderLifecycle.class, () -> new LeaderLifecycle(role, context.getBean(LockFactory.class), context));
        candidate.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
        return candidate;
    }
}
