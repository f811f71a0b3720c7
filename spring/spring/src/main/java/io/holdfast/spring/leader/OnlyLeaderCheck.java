package io.holdfast.spring.leader;

import io.holdfast.spring.proxy.AnnotatedMethodCheck;
import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.ResultKind;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Rejects methods on which {@link OnlyLeader} cannot work, and roles without a candidate. */
final class OnlyLeaderCheck extends AnnotatedMethodCheck<OnlyLeader> {

    private final ConfigurableListableBeanFactory beans;

    OnlyLeaderCheck(ConfigurableListableBeanFactory beans) {
        super(OnlyLeader.class, beans);
        this.beans = beans;
    }

    @Override
    protected Runnable check(Method method, Class<?> type, OnlyLeader annotated) {
        return switch (ResultKind.of(method, type)) {
            case PRIMITIVE ->
                throw rejected(
                        method,
                        "a call that is skipped has no result of the primitive type " + method.getReturnType(),
                        "return its wrapper, an Optional or void");
            case PUBLISHER, LATER ->
                throw rejected(
                        method,
                        "its result '" + method.getReturnType().getSimpleName()
                                + "' is produced after it has returned, and a call that is skipped has none",
                        "return void, a value or a CompletableFuture");
            default -> () -> candidates(method, annotated, beans);
        };
    }

    private static MethodRejectedException rejected(Method method, String reason, String remedy) {
        return new MethodRejectedException(method, OnlyLeader.class, reason, remedy);
    }

    /**
     * Returns the candidates of this process for the role of a method; a context and its parent may have one each.
     *
     * @throws MethodRejectedException if there is none
     */
    static List<LeaderLifecycle> candidates(Method method, OnlyLeader annotated, BeanFactory beans) {
        List<LeaderLifecycle> candidates = beans.getBeanProvider(LeaderLifecycle.class).stream()
                .filter(candidate -> candidate.role().equals(annotated.value()))
                .toList();
        if (candidates.isEmpty()) {
            throw rejected(
                    method,
                    "no LeaderLifecycle has the role '" + annotated.value() + "'",
                    "define one, with Boot by holdfast.leader.roles");
        }
        return candidates;
    }
}
