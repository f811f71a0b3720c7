package io.holdfast.spring;

import io.holdfast.spring.proxy.AnnotatedMethods;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts a lock around each method with {@link HoldfastLock}. Its {@linkplain #setOrder order} must be lower than that of
 * {@code @Transactional}, so that the lock encloses the transaction. It belongs to the infrastructure of an
 * application; {@link EnableHoldfastLocks} registers it.
 */
public final class HoldfastLockAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /** The default order: outside of {@code @Transactional}, whose order is the lowest precedence. */
    public static final int DEFAULT_ORDER = LOWEST_PRECEDENCE - 1000;

    private final transient Advice advice;
    private final transient Pointcut pointcut = new AnnotatedMethods<>(HoldfastLock.class);

    /**
     * Creates an advisor that finds the {@link LockFactory}, or else the client, among these beans at the first call.
     */
    public HoldfastLockAdvisor(ConfigurableListableBeanFactory beans) {
        this.advice = new HoldfastLockInterceptor(beans);
        setOrder(DEFAULT_ORDER);
    }

    /** Sets the order, except to {@link #HIGHEST_PRECEDENCE}: the first place is that of the check for a leader. */
    @Override
    public void setOrder(int order) {
        super.setOrder(Math.max(order, HIGHEST_PRECEDENCE + 1));
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }
}
