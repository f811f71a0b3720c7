package io.holdfast.spring.leader;

import io.holdfast.Lease;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.proxy.AnnotatedMethods;
import io.holdfast.spring.proxy.ResultKind;
import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;

/**
 * Skips the methods with {@link OnlyLeader} while this process does not lead, before a lock of such a method is
 * acquired.
 */
final class OnlyLeaderAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /** Creates an advisor that goes before locks of this order. */
    OnlyLeaderAdvisor(BeanFactory beans, int orderOfLocks) {
        super(new AnnotatedMethods<>(OnlyLeader.class), new Interceptor(beans));
        setOrder(orderOfLocks - 1);
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
