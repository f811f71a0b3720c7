package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.spring.leader.LeaderLifecycle;
import io.holdfast.spring.leader.OnlyLeader;
import io.holdfast.spring.proxy.MethodRejectedException;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Tests that methods on which an annotation cannot work are rejected also in beans that are created apart from the
 * others.
 */
class LateBeanTest {

    @Lazy
    static class LazyFinal {
        @HoldfastLock("x")
        public final void method() {}
    }

    @Scope("prototype")
    static class PrototypeFinal {
        @HoldfastLock("x")
        public final void method() {}
    }

    /** Spring proxies no advice. */
    @Scope("prototype")
    static class PrototypeAdvice implements Advice {
        @HoldfastLock("x")
        public void method() {}
    }

    @Lazy
    static class LazyLongKeep {
        @HoldfastLock(value = "x", holdAtLeast = "25h")
        public void method() {}
    }

    @Scope("prototype")
    static class PrototypeLongLease {
        @HoldfastLock(value = "x", lease = "25h")
        public void method() {}
    }

    @Lazy
    static class LazyUnknownRole {
        @OnlyLeader("unknown")
        public void method() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LazyFinal.class,
                PrototypeFinal.class,
                PrototypeAdvice.class,
                LazyLongKeep.class,
                PrototypeLongLease.class,
                LazyUnknownRole.class
            })
    void create_methodThatCannotWork_isRejectedEachTime(Class<?> bean) {
        try (Application application = Application.of(bean)) {
            assertRejected(bean, () -> application.bean(bean));
            assertRejected(bean, () -> application.bean(bean));
        }
    }

    private static void assertRejected(Class<?> bean, ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(failure -> assertThat(RejectionTest.rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining(bean.getSimpleName() + ".method"));
    }

    /** Has a proxy that looks for the bean at each call, and is created when the application starts. */
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped {
        @HoldfastLock("x")
        public final void method() {}

        public void other() {}
    }

    @Test
    void call_scopedBeanWithMethodThatCannotWork_isRejectedEachTime() {
        try (Application application = Application.of(Scoped.class)) {
            Scoped scoped = application.bean(Scoped.class);

            assertRejected(Scoped.class, scoped::other);
            assertRejected(Scoped.class, scoped::other);
        }
    }

    /** Is created with its dependency before the other beans. */
    static class Processor implements BeanPostProcessor {
        Processor(RejectionTest.WithFinal dependency) {
            dependency.method();
        }
    }

    @Test
    void start_dependencyOfPostProcessor_isRejected() {
        assertRejected(
                RejectionTest.WithFinal.class, () -> Application.of(Processor.class, RejectionTest.WithFinal.class));
    }

    static class Locked {
        @HoldfastLock("x")
        public void method() {}
    }

    static class Led {
        @OnlyLeader("unknown")
        public void method() {}
    }

    /** Is created with its dependencies before the checks are used. */
    static class OrderedProcessor implements BeanPostProcessor, Ordered {
        OrderedProcessor(ObjectProvider<Locked> locked, ObjectProvider<Led> led) {
            locked.ifAvailable(Locked::method);
            led.ifAvailable(Led::method);
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Locked.class, Led.class})
    void start_dependencyOfOrderedPostProcessor_isRejected(Class<?> bean) {
        assertRejected(bean, () -> Application.of(OrderedProcessor.class, bean));
    }

    /** Is created before all other beans, because the method with its post-processor is not static. */
    @Configuration
    static class OfPostProcessor {
        @Bean
        PropertySourcesPlaceholderConfigurer placeholders() {
            return new PropertySourcesPlaceholderConfigurer();
        }

        @HoldfastLock("x")
        public void method() {}
    }

    /** Makes a bean a dependency of a post-processor that Spring runs early. */
    @Configuration
    static class ForRegistry {
        @Bean
        static BeanDefinitionRegistryPostProcessor processor(Locked locked) {
            return registry -> locked.method();
        }
    }

    /** Makes a bean a dependency of one that Spring runs before the check. */
    @Configuration
    static class ForOrderedRegistry {
        @Bean
        static OrderedRegistryProcessor processor(Locked locked) {
            return new OrderedRegistryProcessor(locked);
        }
    }

    /** Needs a bean. */
    record OrderedRegistryProcessor(Locked locked) implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {
        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            locked.method();
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class Product implements FactoryBean<Locked> {
        @Override
        public Locked getObject() {
            return new Locked();
        }

        @Override
        public Class<?> getObjectType() {
            return Locked.class;
        }
    }

    /** Registers an object that Spring has not created. */
    static class Registering {
        @Bean
        static BeanFactoryPostProcessor processor() {
            return beans -> beans.registerSingleton("object", new Locked());
        }
    }

    static Stream<Arguments> unseen() {
        return Stream.of(
                arguments(OfPostProcessor.class, OfPostProcessor.class, "'static'"),
                arguments(Locked.class, ForRegistry.class, "'static'"),
                arguments(Locked.class, ForOrderedRegistry.class, "'static'"),
                arguments(Product.class, OrderedProcessor.class, "'static'"),
                arguments(Registering.class, Registering.class, "registerBean"));
    }

    @ParameterizedTest
    @MethodSource("unseen")
    void start_beanThatTheCheckHasNotSeen_isRejected(Class<?> bean, Class<?> other, String remedy) {
        assertThatThrownBy(() -> Application.of(bean, other))
                .satisfies(failure -> assertThat(RejectionTest.rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining(".method: its bean ")
                        .hasMessageContaining(" has no proxy, because ")
                        .hasMessageContaining(remedy));
    }

    /** The proxy of the first bean of a circle is created before its initialization. */
    @Lazy
    static class First {
        @Autowired
        @SuppressWarnings("unused")
        private @Nullable Second second;

        @HoldfastLock("x")
        public String method() {
            return CurrentLease.get().resource();
        }
    }

    @Lazy
    static class Second {
        @Autowired
        @SuppressWarnings("unused")
        private @Nullable First first;
    }

    @Test
    void create_lazyBeanInCircle_isLocked() {
        try (Application application = Application.of(First.class, Second.class)) {
            assertThat(application.bean(First.class).method()).isEqualTo("x");
        }
    }

    /** Calls a method before the options of the client have been checked. */
    static class EarlyCaller {
        EarlyCaller(RejectionTest.LongKeep locked) {
            locked.method();
        }
    }

    @Test
    void call_beforeTheCheckOfOptions_isRejectedBeforeTheMethod() {
        assertRejected(
                RejectionTest.LongKeep.class, () -> Application.of(EarlyCaller.class, RejectionTest.LongKeep.class));
    }

    /** Is created as a part of its candidate, after the start of the application. */
    @Lazy
    @Configuration(proxyBeanMethods = false)
    static class LazyRole {
        @Bean
        @Lazy
        LeaderLifecycle reports(LockFactory locks, ApplicationEventPublisher publisher) {
            return new LeaderLifecycle("reports", locks, publisher);
        }

        @OnlyLeader("reports")
        public void known() {}

        @OnlyLeader("unknown")
        public void method() {}
    }

    @Test
    void call_roleWithoutCandidate_isRejectedInsteadOfSkipped() {
        try (Application application = Application.of(LazyRole.class)) {
            LazyRole bean = application.bean(LazyRole.class);

            assertThatCode(bean::known).doesNotThrowAnyException();
            assertRejected(LazyRole.class, bean::method);
        }
    }
}
