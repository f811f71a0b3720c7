package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
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

    /** The actions that wait until all singletons have been created. */
    private final Queue<Runnable> pending = new ConcurrentLinkedQueue<>();

    private volatile boolean started;

    /** Creates a check of this annotation. */
    protected AnnotatedMethodCheck(Class<A> annotation) {
        this.annotation = annotation;
    }

    /**
     * Checks what is special about the annotation.
     *
     * @param type the class of the bean
     * @return the checks that need other beans; they throw {@link MethodRejectedException}, too
     * @throws MethodRejectedException if the annotation cannot work on the method
     */
    protected abstract Runnable check(Method method, Class<?> type, A annotated);

    /** Called for each bean with annotated methods that has been created, but not before all singletons have been. */
    protected void accepted(String bean) {}

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
            Set<Method> methods = methods(bean, type);
            methods.forEach(method -> requireProxy(bean, name, method, isProxiedEarly));
            if (!methods.isEmpty()) {
                whenStarted(() -> accepted(name));
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
            whenStarted(check(method, type, annotated));
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

    /** Runs an action at once if the application has started, else when all singletons have been created. */
    private void whenStarted(Runnable action) {
        pending.add(action);
        // Only the thread that removes an action runs it: the application may start at this moment.
        if (started && pending.remove(action)) {
            try {
                action.run();
            } catch (BeansException e) {
                requireInCreation(e);
            }
        }
    }

    /** Accepts a bean on which the client itself depends: the first call of the method repeats the check. */
    private static void requireInCreation(BeansException failure) {
        if (!failure.contains(BeanCurrentlyInCreationException.class)) {
            throw failure;
        }
    }

    @Override
    public final void afterSingletonsInstantiated() {
        started = true;
        for (Runnable action = pending.poll(); action != null; action = pending.poll()) {
            action.run();
        }
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
