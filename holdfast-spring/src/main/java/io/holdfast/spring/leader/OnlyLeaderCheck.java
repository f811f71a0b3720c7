package io.holdfast.spring.leader;

import io.holdfast.spring.proxy.AnnotatedMethodCheck;
import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.ResultKind;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Rejects methods on which {@link OnlyLeader} cannot work, and roles without a candidate. */
final class OnlyLeaderCheck extends AnnotatedMethodCheck<OnlyLeader> {

    private final ConfigurableListableBeanFactory beans;
    private final Map<Method, OnlyLeader> methods = new ConcurrentHashMap<>();

    OnlyLeaderCheck(ConfigurableListableBeanFactory beans) {
        super(OnlyLeader.class);
        this.beans = beans;
    }

    @Override
    protected void check(Method method, OnlyLeader annotated) {
        if (ResultKind.of(method.getReturnType()) == ResultKind.PRIMITIVE) {
            throw new MethodRejectedException(
                    method,
                    OnlyLeader.class,
                    "a call that is skipped has no result of the primitive type " + method.getReturnType(),
                    "return its wrapper, an Optional or void");
        }
        methods.put(method, annotated);
    }

    @Override
    protected void checkTogether() {
        methods.forEach((method, annotated) -> {
            if (OnlyLeaderAdvisor.candidate(annotated.value(), beans).isEmpty()) {
                throw new MethodRejectedException(
                        method,
                        OnlyLeader.class,
                        "no LeaderLifecycle has the role '" + annotated.value() + "'",
                        "define one, with Boot by holdfast.leader.roles");
            }
        });
        methods.clear();
    }
}
