package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.spring.proxy.AnnotatedMethodCheck;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Rejects methods on which {@link HoldfastLock} cannot work: when their bean is created, and, as far as the options of
 * the client matter, when all singletons have been created, or when a later bean is.
 */
final class LockedMethodCheck extends AnnotatedMethodCheck<HoldfastLock> {

    private final ConfigurableListableBeanFactory beans;

    LockedMethodCheck(ConfigurableListableBeanFactory beans) {
        super(HoldfastLock.class, beans);
        this.beans = beans;
    }

    @Override
    protected Runnable check(Method method, Class<?> type, HoldfastLock annotated) {
        LockedMethod locked = new LockedMethod(method, type, annotated, beans);
        return () -> locked.check(HoldfastLockInterceptor.factory(beans));
    }

    /**
     * Declares that the bean depends on the client: Spring might otherwise destroy that first, while the bean ends its
     * work.
     */
    @Override
    protected void accepted(String bean) {
        Stream.of(LockFactory.class, Holdfast.class)
                .flatMap(type -> Stream.of(beans.getBeanNamesForType(type)))
                .forEach(client -> beans.registerDependentBean(client, bean));
    }
}
