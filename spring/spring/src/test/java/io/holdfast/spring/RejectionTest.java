package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.spring.leader.OnlyLeader;
import io.holdfast.spring.proxy.MethodRejectedException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.Metadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Primary;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

/** Tests that an application does not start if an annotation cannot work on a method. */
class RejectionTest {

    static class WithPrivate {
        @HoldfastLock("x")
        @SuppressWarnings("unused")
        private void method() {}
    }

    static class WithFinal {
        @HoldfastLock("x")
        public final void method() {}
    }

    static class WithStatic {
        @HoldfastLock("x")
        public static void method() {}
    }

    static final class FinalClass {
        @HoldfastLock("x")
        public void method() {}
    }

    /** Found by its other methods only, so that the proxy is one of interfaces. */
    interface Other {
        void other();
    }

    static class NotInTheInterface implements Other {
        @HoldfastLock("x")
        public void method() {}

        @Override
        public void other() {}
    }

    static class SkippedPrimitive {
        @HoldfastLock(value = "x", onHeld = RefusalPolicy.SKIP)
        public int method() {
            return 1;
        }
    }

    static class UnreachablePrimitive {
        @HoldfastLock(value = "x", onUnreachable = RefusalPolicy.SKIP)
        public boolean method() {
            return true;
        }
    }

    static class Reactive {
        @HoldfastLock("x")
        public Flow.@Nullable Publisher<String> method() {
            return null;
        }
    }

    static class Logged {
        @HoldfastLock(value = "x", onLost = LossPolicy.LOG)
        public Mono<String> method() {
            return Mono.empty();
        }
    }

    static class SubtypeOfFlux {
        @HoldfastLock("x")
        public @Nullable ParallelFlux<String> method() {
            return null;
        }
    }

    static class PlainFuture {
        @HoldfastLock("x")
        public @Nullable Future<String> method() {
            return null;
        }
    }

    static class WorkOfMvc {
        @HoldfastLock("x")
        public Callable<String> method() {
            return () -> "ran";
        }
    }

    static class LazyStream {
        @HoldfastLock("x")
        public Stream<String> method() {
            return Stream.of("ran");
        }
    }

    static class InterruptedFuture {
        @HoldfastLock(value = "x", onLost = LossPolicy.INTERRUPT)
        public @Nullable CompletableFuture<String> method() {
            return null;
        }
    }

    static class EmptyName {
        @HoldfastLock("${shop.nothing:}")
        public void method() {}
    }

    static class MissingProperty {
        @HoldfastLock("${shop.nothing}")
        public void method() {}
    }

    static class UnknownParameter {
        @HoldfastLock("order:#{#order.number}")
        public void method(String id) {}
    }

    static class WrongExpression {
        @HoldfastLock("order:#{#id +}")
        public void method(String id) {}
    }

    static class WrongDuration {
        @HoldfastLock(value = "x", waitLimit = "soon")
        public void method() {}
    }

    static class DurationWithoutUnit {
        @HoldfastLock(value = "x", waitLimit = "30")
        public void method() {}
    }

    static class LongLease {
        @HoldfastLock(value = "x", lease = "25h")
        public void method() {}
    }

    static class ContradictingLimits {
        @HoldfastLock(value = "x", lease = "20s", holdLimit = "10s")
        public void method() {}
    }

    static class LongKeep {
        @HoldfastLock(value = "x", holdAtLeast = "25h")
        public void method() {}
    }

    static class NegativeKeep {
        @HoldfastLock(value = "x", holdAtLeast = "-5s")
        public void method() {}
    }

    static class KeepBeyondTheLimit {
        @HoldfastLock(value = "x", lease = "1s", holdLimit = "1s", holdAtLeast = "30s")
        public void method() {}
    }

    static class KeepUntilTheLimit {
        @HoldfastLock(value = "x", lease = "10s", holdLimit = "10s", holdAtLeast = "10s")
        public void method() {}
    }

    static class PrimitiveOncePer {
        @HoldfastLock(value = "x", oncePer = "@daily")
        public int method() {
            return 1;
        }
    }

    static class SharedOncePer {
        @HoldfastLock(value = "x", oncePer = "@daily", shared = true)
        public void method() {}
    }

    static class KeptOncePer {
        @HoldfastLock(value = "x", oncePer = "@daily", holdAtLeast = "30s")
        public void method() {}
    }

    static class LoggedOncePer {
        @HoldfastLock(value = "x", oncePer = "@daily", onLost = LossPolicy.LOG)
        public void method() {}
    }

    static class UnknownPeriod {
        @HoldfastLock(value = "x", oncePer = "@never")
        public void method() {}
    }

    static class WrongCron {
        @HoldfastLock(value = "x", oncePer = "0 3 * * *")
        public void method() {}
    }

    static class MissingFallback {
        @HoldfastLock(value = "x", fallback = "other")
        public void method() {}
    }

    static class OtherResultOfFallback {
        @HoldfastLock(value = "x", fallback = "other")
        public String method(int pieces) {
            return "ran";
        }

        public Integer other(int pieces) {
            return pieces;
        }
    }

    static class OtherParametersOfFallback {
        @HoldfastLock(value = "x", fallback = "other")
        public void method(int pieces) {}

        public void other(int pieces, Exception refusal) {}
    }

    static class TwoFallbacks {
        @HoldfastLock(value = "x", fallback = "other")
        public void method() {}

        public void other() {}

        public void other(HoldfastException refusal) {}
    }

    static class IdleFallback {
        @HoldfastLock(value = "x", onHeld = RefusalPolicy.SKIP, onUnreachable = RefusalPolicy.SKIP, fallback = "other")
        public void method() {}

        public void other() {}
    }

    static class TemplateAsCondition {
        @HoldfastLock(value = "x", condition = "#{#id}")
        public void method(boolean id) {}
    }

    static class UnknownParameterOfCondition {
        @HoldfastLock(value = "x", condition = "#order")
        public void method(String id) {}
    }

    static class PrimitiveLeader {
        @OnlyLeader("reports")
        public int method() {
            return 1;
        }
    }

    static class UnknownRole {
        @OnlyLeader("unknown")
        public void method() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithPrivate.class,
                WithFinal.class,
                WithStatic.class,
                FinalClass.class,
                NotInTheInterface.class,
                SkippedPrimitive.class,
                UnreachablePrimitive.class,
                Reactive.class,
                Logged.class,
                SubtypeOfFlux.class,
                PlainFuture.class,
                WorkOfMvc.class,
                LazyStream.class,
                InterruptedFuture.class,
                EmptyName.class,
                MissingProperty.class,
                UnknownParameter.class,
                WrongExpression.class,
                WrongDuration.class,
                DurationWithoutUnit.class,
                LongLease.class,
                ContradictingLimits.class,
                LongKeep.class,
                NegativeKeep.class,
                KeepBeyondTheLimit.class,
                KeepUntilTheLimit.class,
                PrimitiveOncePer.class,
                SharedOncePer.class,
                KeptOncePer.class,
                LoggedOncePer.class,
                UnknownPeriod.class,
                WrongCron.class,
                MissingFallback.class,
                OtherResultOfFallback.class,
                OtherParametersOfFallback.class,
                TwoFallbacks.class,
                IdleFallback.class,
                TemplateAsCondition.class,
                UnknownParameterOfCondition.class,
                PrimitiveLeader.class,
                UnknownRole.class
            })
    void start_methodThatCannotWork_isRejectedByName(Class<?> bean) {
        assertThatThrownBy(() -> Application.of(bean))
                .satisfies(failure -> assertThat(rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining(bean.getSimpleName() + ".method")
                        .hasMessageMatching("[\\x20-\\x7e]*; [a-z].*"));
    }

    /** Returns the rejection of a method among the causes of a failure, or else the last cause. */
    static Throwable rejection(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof MethodRejectedException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static class WithMono {
        @HoldfastLock("x")
        public Mono<String> method() {
            return Mono.empty();
        }
    }

    @Test
    void start_publisherWithoutTheModuleForReactor_isRejectedWithTheModule() {
        assertThatThrownBy(() -> Application.withoutClasses("io.holdfast.reactor", WithMono.class))
                .satisfies(failure -> assertThat(rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining("WithMono.method")
                        .hasMessageContaining("add io.holdfast:holdfast-reactor to the class path"));
        Application.of(WithMono.class).close();
    }

    /** A final class whose interface a proxy could implement. */
    static final class FinalWithInterface implements Other {
        @Override
        @HoldfastLock("x")
        public void other() {
            CurrentLease.get();
        }
    }

    /** A final class whose interfaces are no reason for a proxy. */
    static final class FinalWithCallback implements InitializingBean {
        @Override
        public void afterPropertiesSet() {}

        @HoldfastLock("x")
        public void method() {}
    }

    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class ClassProxies {}

    @Test
    void start_finalClassThatAProxyWouldExtend_isRejected() {
        assertThatThrownBy(() -> Application.of(FinalWithInterface.class, ClassProxies.class))
                .satisfies(failure -> assertThat(rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining("its class FinalWithInterface is final")
                        .hasMessageEndingWith("; remove 'final'"));
        assertThatThrownBy(() -> Application.of(FinalWithCallback.class))
                .satisfies(failure ->
                        assertThat(rejection(failure)).hasMessageContaining("its class FinalWithCallback is final"));
    }

    @Test
    void start_finalClassWhoseInterfaceAProxyImplements_isAccepted() {
        try (Application application = Application.of(FinalWithInterface.class)) {
            application.bean(Other.class).other();
        }
    }

    /** As Kotlin compiles a class. */
    @Metadata
    static final class OfKotlin {
        @HoldfastLock("x")
        public void method() {}
    }

    @Metadata
    static class FinalMethodOfKotlin {
        @HoldfastLock("x")
        public final void method() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {OfKotlin.class, FinalMethodOfKotlin.class})
    void start_finalInKotlin_isRejectedWithTheRemedyOfKotlin(Class<?> bean) {
        assertThatThrownBy(() -> Application.of(bean))
                .satisfies(failure -> assertThat(rejection(failure))
                        .hasMessageEndingWith("; declare it 'open', or let the compiler plugin kotlin-spring open it"));
    }

    /** Has the annotation in the class only, so that Spring finds none on a proxy. */
    static class Implementation implements Other {
        @Override
        @HoldfastLock("x")
        public void other() {
            CurrentLease.get();
        }
    }

    /** Defines a proxy of its own as the bean. */
    static class OwnProxy {
        @Bean
        Other bean() {
            ProxyFactory proxies = new ProxyFactory(new Implementation());
            return (Other) proxies.getProxy();
        }
    }

    /** Defines a factory of proxies. */
    static class OwnProxyFactory {
        @Bean
        ProxyFactoryBean bean() {
            ProxyFactoryBean proxies = new ProxyFactoryBean();
            proxies.setTarget(new Implementation());
            return proxies;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnProxy.class, OwnProxyFactory.class})
    void start_proxyWithoutTheAdvice_isRejected(Class<?> configuration) {
        assertThatThrownBy(() -> Application.of(configuration).bean(Other.class))
                .satisfies(failure -> assertThat(rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining("Implementation.other")
                        .hasMessageContaining("its bean 'bean' is a proxy")
                        .hasMessageContaining("; define the object itself as the bean"));
    }

    /** Defines a factory of class proxies, around which Spring creates another one. */
    static class ClassProxyFactory {
        @Bean
        ProxyFactoryBean bean() {
            ProxyFactoryBean proxies = new ProxyFactoryBean();
            proxies.setTarget(new Implementation());
            proxies.setProxyTargetClass(true);
            return proxies;
        }
    }

    /** Defines a proxy around a bean, which has the advice. */
    static class ProxyOfProxy {
        @Bean
        Other inner() {
            return new Implementation();
        }

        @Bean
        @Primary
        Other outer(@Qualifier("inner") Other inner) {
            return (Other) new ProxyFactory(inner).getProxy();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ClassProxyFactory.class, ProxyOfProxy.class})
    void start_proxyAroundTheAdvice_isAccepted(Class<?> configuration) {
        try (Application application = Application.of(configuration)) {
            assertThatCode(() -> application.bean(Other.class).other()).doesNotThrowAnyException();
        }
    }

    /** Shows that the shape of these methods is accepted where nothing contradicts it. */
    static class Accepted {
        @HoldfastLock("order:#{#id}")
        public int number(String id) {
            return id.length();
        }

        @HoldfastLock(value = "x", waitLimit = "forever", lease = "5s", holdLimit = "1h30m", holdAtLeast = "PT1S")
        public void limited() {}
    }

    @Test
    void start_methodsThatCanWork_areAccepted() {
        try (Application application = Application.of(Accepted.class)) {
            assertThat(application.bean(Accepted.class).number("four")).isEqualTo(4);
        }
    }
}
