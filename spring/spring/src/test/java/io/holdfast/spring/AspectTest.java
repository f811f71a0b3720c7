package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.AfterReturning;
import org.aspectj.lang.annotation.AfterThrowing;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests annotated methods that an aspect of the application matches as well. */
class AspectTest {

    @AutoClose
    private final Application application = Application.of(Aspects.class, Audit.class, Shop.class);

    private final Shop shop = application.bean(Shop.class);
    private final Audit audit = application.bean(Audit.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    static class Aspects {}

    /** An aspect without an order, which Spring puts inside the lock. */
    @Aspect
    static class Audit {

        private final List<String> entries = new CopyOnWriteArrayList<>();

        @Before("bean(shop) && args(name, ..)")
        public void before(JoinPoint point, String name) {
            entries.add("before " + point.getSignature().getName() + " of " + name + " under "
                    + CurrentLease.get().resource());
        }

        @Around("bean(shop)")
        public @Nullable Object around(ProceedingJoinPoint point) throws Throwable {
            entries.add("around");
            return point.proceed();
        }

        @AfterReturning("bean(shop)")
        public void after(JoinPoint point) {
            entries.add("after " + point.getArgs()[0]);
        }

        @AfterThrowing(value = "bean(shop)", throwing = "failure")
        public void failed(RuntimeException failure) {
            entries.add("failed " + failure.getMessage());
        }
    }

    /** The annotated methods of these tests. */
    @Component("shop")
    static class Shop {

        @HoldfastLock("job:#{#name}")
        public Mono<String> one(String name, Supplier<Mono<String>> body) {
            return body.get();
        }

        @HoldfastLock("job:#{#name}")
        public Flux<String> many(String name, Supplier<Flux<String>> body) {
            return body.get();
        }

        @HoldfastLock("job:#{#name}")
        public String plain(String name) {
            return name;
        }
    }

    @Test
    void subscribe_mono_runsTheAspectUnderTheLock() {
        assertThat(shop.one("a", () -> Mono.just("done")).block()).isEqualTo("done");
        assertThat(audit.entries).containsExactly("around", "before one of a under job:a", "after a");
    }

    @Test
    void subscribe_twice_runsTheAspectForEachSubscriber() {
        Flux<String> items = shop.many("a", () -> Flux.just("1", "2"));

        assertThat(items.collectList().block()).containsExactly("1", "2");
        assertThat(items.collectList().block()).containsExactly("1", "2");
        assertThat(audit.entries).hasSize(6);
    }

    @Test
    void subscribe_methodThrows_reachesTheAspectAndTheSubscriber() {
        assertThatThrownBy(() -> shop.one("a", () -> {
                            throw new IllegalStateException("of the method");
                        })
                        .block())
                .hasMessage("of the method");
        assertThat(audit.entries).last().isEqualTo("failed of the method");
    }

    /** Each call has an invocation of its own. */
    @Test
    void subscribe_methodInsideAnother_runsTheAspectWithTheArgumentsOfEach() {
        Mono<String> outer = shop.one("outer", () -> {
            assertThat(shop.one("inner", () -> Mono.just("done")).block()).isEqualTo("done");
            assertThat(shop.plain("plain")).isEqualTo("plain");
            return Mono.just("outer done");
        });

        assertThat(Objects.requireNonNull(outer.block())).isEqualTo("outer done");
        assertThat(audit.entries)
                .filteredOn(entry -> entry.startsWith("after"))
                .containsExactly("after inner", "after plain", "after outer");
    }
}
