package io.holdfast.spring.leader;

import io.holdfast.Lease;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.proxy.AnnotatedMethods;
import io.holdfast.spring.proxy.ResultKind;
import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;

/**
 * Skips the methods with {@link OnlyLeader} while this process does not lead, before a lock of such a method is
 * acquired.
 */
final class OnlyLeaderAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut = new AnnotatedMethods<>(OnlyLeader.class);
    private final transient Advice advice;

    /** Creates an advisor that goes before locks of this order. */
    OnlyLeaderAdvisor(BeanFactory beans, int orderOfLocks) {
        this.advice = new Interceptor(beans);
        setOrder(orderOfLocks - 1);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    private record Interceptor(BeanFactory beans) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            Method method = AnnotatedMethods.method(call);
            OnlyLeader annotation = AnnotatedMethods.annotation(call, OnlyLeader.class);
            Optional<Lease> leadership = OnlyLeaderCheck.candidates(method, annotation, beans).stream()
                    .flatMap(candidate -> candidate.leadership().stream())
                    .findFirst();
            return leadership.isPresent()
                    ? CurrentLease.with(leadership.get(), call::proceed)
                    : ResultKind.of(method, AnnotatedMethods.type(call)).skipped();
        }
    }
}
