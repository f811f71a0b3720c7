package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
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
        implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton, Ordered {

    private final Class<A> annotation;

    /** The methods of the classes that have passed the checks, so that beans of short life cost little. */
    private final Map<Class<?>, Set<Method>> checked = new ConcurrentHashMap<>();

    /** The beans in a circle whose proxy was created before their initialization, which then returns no proxy. */
    private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

    /** Creates a check of this annotation. */
    protected AnnotatedMethodCheck(Class<A> annotation) {
        this.annotation = annotation;
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
    public final Object getEarlyBeanReference(Object bean, String name) {
        if (AopUtils.isAopProxy(bean)) {
            proxiedEarly.add(name);
        }
        return bean;
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String name) {
        boolean isProxiedEarly = proxiedEarly.remove(name);
        if (!(bean instanceof AopInfrastructureBean)) {
            Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
            for (Method method : methods(bean, type)) {
                requireProxy(bean, name, method, isProxiedEarly);
            }
        }
        return bean;
    }

    /** Returns the annotated methods of a class, which it checks until they have passed once. */
    private Set<Method> methods(Object bean, Class<?> type) {
        Set<Method> known = checked.get(type);
        if (known != null) {
            return known;
        }
        Map<Method, A> methods = annotated(bean, type);
        methods.forEach((method, annotated) -> {
            requireProxyable(method);
            check(method, annotated);
        });
        checked.put(type, Set.copyOf(methods.keySet()));
        return methods.keySet();
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

    private void requireProxy(Object bean, String name, Method method, boolean isProxiedEarly) {
        if (AopUtils.isJdkDynamicProxy(bean)) {
            requireInterface(bean, method);
        } else if (!AopUtils.isAopProxy(bean) && !isProxiedEarly) {
            throw rejected(
                    method,
                    "its bean '" + name + "' has no proxy, because it is created before all others or is an advice",
                    "move the method to a bean of its own, on which no post-processor depends");
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
        checkTogether();
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
