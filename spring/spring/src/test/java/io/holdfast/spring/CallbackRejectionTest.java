package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spring.leader.OnlyLeader;
import io.holdfast.spring.proxy.MethodRejectedException;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;

/**
 * Tests methods that Spring calls on the object of a bean, where no lock can be: before it has a proxy, or at its end.
 */
class CallbackRejectionTest {

    static class AfterConstruction {
        @PostConstruct
        @HoldfastLock("x")
        public void method() {}
    }

    static class LeaderAfterConstruction {
        @PostConstruct
        @OnlyLeader("reports")
        public void method() {}
    }

    static class BeforeDestruction {
        @PreDestroy
        @HoldfastLock("x")
        public void method() {}
    }

    static class Initializing implements InitializingBean {
        @Override
        @HoldfastLock("x")
        public void afterPropertiesSet() {}
    }

    static class Disposable implements DisposableBean {
        @Override
        @HoldfastLock("x")
        public void destroy() {}
    }

    static class Closeable implements AutoCloseable {
        @Override
        @HoldfastLock("x")
        public void close() {}
    }

    static class NameAware implements BeanNameAware {
        @Override
        @HoldfastLock("x")
        public void setBeanName(String name) {}
    }

    static class Injected {
        @Autowired
        @HoldfastLock("x")
        public void method(Environment environment) {}
    }

    static class WithResource {
        @Resource
        @HoldfastLock("x")
        public void setEnvironment(Environment environment) {}
    }

    /** An ordinary class. Its methods are called on the proxy, unless a definition says otherwise. */
    static class Plain {
        @HoldfastLock("x")
        public void method() {
            CurrentLease.get();
        }

        @HoldfastLock("x")
        public void shutdown() {
            CurrentLease.get();
        }

        @HoldfastLock("x")
        public void setEnvironment(Environment environment) {
            CurrentLease.get();
        }
    }

    static class InitMethod {
        @Bean(initMethod = "method", destroyMethod = "")
        Plain bean() {
            return new Plain();
        }
    }

    static class DestroyMethod {
        @Bean(destroyMethod = "method")
        Plain bean() {
            return new Plain();
        }
    }

    static class InferredDestroyMethod {
        @Bean
        Plain bean() {
            return new Plain();
        }
    }

    static class WithProperty {
        @Bean
        static BeanDefinitionRegistryPostProcessor definitions() {
            return registry -> registry.registerBeanDefinition(
                    "bean",
                    BeanDefinitionBuilder.genericBeanDefinition(Plain.class)
                            .addPropertyReference("environment", "environment")
                            .getBeanDefinition());
        }
    }

    static class WiredByType {
        @Bean
        static BeanDefinitionRegistryPostProcessor definitions() {
            return registry -> registry.registerBeanDefinition(
                    "bean",
                    BeanDefinitionBuilder.genericBeanDefinition(Plain.class)
                            .setAutowireMode(AutowireCapableBeanFactory.AUTOWIRE_BY_TYPE)
                            .getBeanDefinition());
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AfterConstruction.class,
                LeaderAfterConstruction.class,
                BeforeDestruction.class,
                Initializing.class,
                Disposable.class,
                Closeable.class,
                NameAware.class,
                Injected.class,
                WithResource.class,
                InitMethod.class,
                DestroyMethod.class,
                InferredDestroyMethod.class,
                WithProperty.class,
                WiredByType.class
            })
    void start_methodThatSpringCallsItself_isRejected(Class<?> bean) {
        assertThatThrownBy(() -> Application.of(bean))
                .satisfies(failure -> assertThat(RejectionTest.rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining("Spring calls it on the object itself, not on its proxy; move the work"));
    }

    @Test
    void start_sameMethodsOfAnOrdinaryBean_areLocked() {
        try (Application application = Application.of(Plain.class)) {
            Plain bean = application.bean(Plain.class);
            bean.method();
            bean.shutdown();
            bean.setEnvironment(application.bean(Environment.class));
        }
    }

    /** Spring does not destroy it. */
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    static class Prototype implements AutoCloseable {
        @Override
        @HoldfastLock("x")
        public void close() {
            CurrentLease.get();
        }
    }

    @Test
    void close_ofAPrototype_isLocked() {
        try (Application application = Application.of(Prototype.class)) {
            application.bean(Prototype.class).close();
        }
    }
}
