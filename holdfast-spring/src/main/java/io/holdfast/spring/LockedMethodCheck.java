package io.holdfast.spring;

import io.holdfast.spring.proxy.AnnotatedMethodCheck;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Rejects methods on which {@link HoldfastLock} cannot work: when their bean is created, and, as far as the options of the client matter,
 * when all beans have been created.
 */
final class LockedMethodCheck extends AnnotatedMethodCheck<HoldfastLock> {

    private final ConfigurableListableBeanFactory beans;
    private final List<LockedMethod> methods = new CopyOnWriteArrayList<>();

    LockedMethodCheck(ConfigurableListableBeanFactory beans) {
        super(HoldfastLock.class);
        this.beans = beans;
    }

    @Override
    protected void check(Method method, HoldfastLock annotated) {
        methods.add(new LockedMethod(method, annotated, beans));
    }

    @Override
    protected void checkTogether() {
        if (!methods.isEmpty()) {
            LockFactory locks = HoldfastLockInterceptor.factory(beans);
            methods.forEach(method -> method.check(locks));
            methods.clear();
        }
    }
}
