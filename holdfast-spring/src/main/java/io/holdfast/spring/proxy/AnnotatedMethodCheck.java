package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Rejects methods on which an annotation cannot work, when their bean is created: otherwise they would run unprotected, without a message.
 *
 * @param <A> the annotation
 */
public abstract class AnnotatedMethodCheck<A extends Annotation>
        implements BeanPostProcessor, SmartInitializingSingleton, Ordered {

    private final Class<A> annotation;
    private final ConfigurableListableBeanFactory beans;

    /** The classes that have been checked, so that beans of short life cost nothing. */
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

    /** One method of each bean that was no proxy when it was created: in a circle of beans, it may have become one since. */
    private final Map<String, Method> unproxied = new ConcurrentHashMap<>();

    /** Creates a check of this annotation. */
    protected AnnotatedMethodCheck(Class<A> annotation, ConfigurableListableBeanFactory beans) {
        this.annotation = annotation;
        this.beans = beans;
    }

    /**
     * Checks what is special about the annotation. The proxy has been checked.
     *
     * @throws MethodRejectedException if the annotation cannot work on the method
     */
    protected abstract void check(Method method, A annotated);

    /**
     * Checks what needs other beans. Called when all singletons have been created.
     *
     * @throws MethodRejectedException if the annotation cannot work on a method
     */
    protected void checkTogether() {}

    /** Checks the class before its proxy is created, since the creation fails without the name of the method. */
    @Override
    public final Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = bean.getClass();
        if (Modifier.isFinal(type.getModifiers()) && ClassUtils.getAllInterfacesForClass(type).length == 0) {
            annotated(bean, type).keySet().stream().findFirst().ifPresent(method -> {
                throw rejected(
                        method, "its class is final, so no proxy can extend it", "remove 'final' from the class");
            });
        }
        return bean;
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String name) {
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        if (checked.add(type)) {
            annotated(bean, type).forEach((method, annotated) -> {
                requireProxyable(method);
                requireProxy(bean, name, method);
                check(method, annotated);
            });
        }
        return bean;
    }

    private Map<Method, A> annotated(Object bean, Class<?> type) {
        return bean instanceof AopInfrastructureBean || !AnnotationUtils.isCandidateClass(type, annotation)
                ? Map.of()
                : MethodIntrospector.selectMethods(type, this::annotation);
    }

    /** Returns the annotation of a method, also of one that it overrides; null if there is none. */
    private @Nullable A annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, annotation);
    }

    private void requireProxyable(Method method) {
        String modifier = Modifier.isPrivate(method.getModifiers())
                ? "private"
                : Modifier.isStatic(method.getModifiers())
                        ? "static"
                        : Modifier.isFinal(method.getModifiers()) ? "final" : "";
        if (!modifier.isEmpty()) {
            throw rejected(method, "it is " + modifier + ", so no proxy can intercept it", "remove '" + modifier + "'");
        }
    }

    private void requireProxy(Object bean, String name, Method method) {
        if (!AopUtils.isAopProxy(bean)) {
            unproxied.put(name, method);
        } else if (AopUtils.isJdkDynamicProxy(bean)) {
            requireInterface(bean, method);
        }
    }

    private void requireInterface(Object bean, Method method) {
        try {
            AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (IllegalStateException e) {
            throw rejected(
                    method,
                    "its bean is a proxy of interfaces, which do not contain it",
                    "declare it in an interface, or use class proxies (spring.aop.proxy-target-class=true)");
        }
    }

    @Override
    public final void afterSingletonsInstantiated() {
        requireProxies();
        checkTogether();
    }

    private void requireProxies() {
        unproxied.forEach((name, method) -> Optional.ofNullable(beans.getSingleton(name))
                .filter(bean -> !AopUtils.isAopProxy(bean))
                .ifPresent(bean -> {
                    throw rejected(
                            method,
                            "its bean '" + name + "' has no proxy, because it is created before all others",
                            "make it a bean on which no post-processor depends");
                }));
    }

    private MethodRejectedException rejected(Method method, String reason, String remedy) {
        return new MethodRejectedException(method, annotation, reason, remedy);
    }

    /** Returns the last place: the proxies have been created by then. */
    @Override
    public final int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
