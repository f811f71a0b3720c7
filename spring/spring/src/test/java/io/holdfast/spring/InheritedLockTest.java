package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.PackagePrivateBase;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import reactor.core.publisher.Mono;

/** Tests locked methods of superclasses and interfaces. */
class InheritedLockTest {

    @AutoClose
    private final Application application = Application.of(Later.class, Reactive.class);

    /** The locked method. */
    abstract static class Base<T> {

        @HoldfastLock("job")
        public T run(T result) {
            return result;
        }
    }

    static class Later extends Base<CompletableFuture<String>> {}

    static class Reactive extends Base<Mono<Boolean>> {}

    @Test
    void run_future_keepsTheLockUntilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();

        CompletableFuture<String> result = application.bean(Later.class).run(body);
        boolean heldBefore = application.isHeld("job");
        body.complete("done");

        assertThat(result.join()).isEqualTo("done");
        assertThat(heldBefore).isTrue();
        assertThat(application.isHeld("job")).isFalse();
    }

    @Test
    void run_publisher_runsUnderTheLock() {
        Mono<Boolean> isHeld = Mono.fromSupplier(() -> application.isHeld("job"));

        assertThat(application.bean(Reactive.class).run(isHeld).block()).isTrue();
    }

    static class InAnotherPackage extends PackagePrivateBase {}

    @Test
    void start_methodIsNotVisibleInThePackageOfItsBean_isRejected() {
        assertThatThrownBy(() -> Application.of(InAnotherPackage.class))
                .satisfies(failure -> assertThat(RejectionTest.rejection(failure))
                        .isInstanceOf(MethodRejectedException.class)
                        .hasMessageContaining("PackagePrivateBase.method")
                        .hasMessageContaining("package of the bean's class InAnotherPackage")
                        .hasMessageEndingWith("; declare it 'protected' or 'public'"));
    }

    static class PackagePrivate {

        @HoldfastLock("job")
        String method() {
            return CurrentLease.get().resource();
        }
    }

    static class InTheSamePackage extends PackagePrivate {}

    @Test
    void method_isVisibleInThePackageOfItsBean_runsUnderTheLock() {
        try (Application same = Application.of(InTheSamePackage.class)) {
            assertThat(same.bean(InTheSamePackage.class).method()).isEqualTo("job");
        }
    }

    /** Has no class of its own, as a repository or a client of HTTP. */
    interface Repository {
        @HoldfastLock("order:#{#id}")
        String find(String id);
    }

    /** Makes the implementation with the proxies of Java, as MyBatis does. */
    static class PlainProxy {
        @Bean
        Repository repository() {
            return (Repository) Proxy.newProxyInstance(
                    Repository.class.getClassLoader(),
                    new Class<?>[] {Repository.class},
                    (proxy, method, arguments) ->
                            CurrentLease.find().map(Lease::resource).orElse("none"));
        }
    }

    /** Makes the implementation with the proxies of Spring, as Spring Data does. */
    static class SpringProxy {
        @Bean
        Repository repository() {
            return ProxyFactory.getProxy(Repository.class, (MethodInterceptor)
                    call -> CurrentLease.get().resource());
        }
    }

    /** Makes the implementation with a lambda expression. */
    static class Lambda {
        @Bean
        Repository repository() {
            return id -> CurrentLease.get().resource();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PlainProxy.class, SpringProxy.class, Lambda.class})
    void run_interfaceWithoutClass_findsItsParameters(Class<?> configuration) {
        for (Class<?> proxies : List.of(ClassProxies.class, AnyProxies.class)) {
            try (Application other = Application.of(proxies, configuration)) {
                assertThat(other.bean(Repository.class).find("7")).isEqualTo("order:7");
            }
        }
    }

    /** Has the annotations that the classes below inherit. */
    interface Declared {
        @HoldfastLock("declared")
        String run();
    }

    /** Supplies the method of an interface that it does not implement. */
    static class Supplier {
        public String run() {
            return held();
        }
    }

    static class Supplied extends Supplier implements Declared {}

    /** Has a type parameter, which a superclass may replace. */
    interface Generic<T> {
        @HoldfastLock("declared")
        String run(T value);
    }

    static class GenericSupplier<T> {
        public String run(T value) {
            return held();
        }
    }

    static class BothGeneric extends GenericSupplier<Integer> implements Generic<Integer> {}

    static class PlainSupplier {
        public String run(Integer value) {
            return held();
        }
    }

    static class GenericInterface extends PlainSupplier implements Generic<Integer> {}

    /** Has no type parameter, unlike the superclass. */
    interface OfInteger {
        @HoldfastLock("declared")
        String run(Integer value);
    }

    static class GenericClass extends GenericSupplier<Integer> implements OfInteger {}

    private static String held() {
        return CurrentLease.find().map(Lease::resource).orElse("none");
    }

    /** Makes Spring create proxies of classes, as Boot does by default. */
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class ClassProxies {}

    /** Leaves the kind of proxy to the class. */
    static class AnyProxies {}

    @ParameterizedTest
    @ValueSource(classes = {ClassProxies.class, AnyProxies.class})
    @SuppressWarnings("unchecked")
    void run_interfaceOfSubclassHasTheAnnotation_runsUnderTheLock(Class<?> proxies) {
        try (Application other = Application.of(
                proxies, Supplied.class, BothGeneric.class, GenericInterface.class, GenericClass.class)) {
            assertThat(other.bean(Declared.class).run()).isEqualTo("declared");
            assertThat(other.bean("inheritedLockTest.BothGeneric", Generic.class)
                            .run(1))
                    .isEqualTo("declared");
            assertThat(other.bean("inheritedLockTest.GenericInterface", Generic.class)
                            .run(1))
                    .isEqualTo("declared");
            assertThat(other.bean(OfInteger.class).run(1)).isEqualTo("declared");
        }
    }
}
