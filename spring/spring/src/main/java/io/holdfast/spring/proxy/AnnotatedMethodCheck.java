package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Rejects methods on which an annotation cannot work, when their bean is created: otherwise they would run unprotected,
 * without a message.
 *
 * @param <A> the annotation
 */
public class AnnotatedMethodCheck<A extends Annotation>
        implements BeanDefinitionRegistryPostProcessor,
                MergedBeanDefinitionPostProcessor,
                SmartInstantiationAwareBeanPostProcessor,
                SmartInitializingSingleton,
                Ordered {

    private final Class<A> annotation;
    private final ConfigurableListableBeanFactory beans;
    private final Protection protection;

    /** The methods of the classes that have passed the checks, so that beans of short life cost little. */
    private final Map<Class<?>, Set<Method>> checked = new ConcurrentHashMap<>();

    /** The beans in a circle whose proxy was created before their initialization, which then returns no proxy. */
    private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

    /** The actions that wait until all singletons have been created. */
    private final Queue<Runnable> pending = new ConcurrentLinkedQueue<>();

    /** The keys of the beans that Spring has not given to this check, such as those for a post-processor. */
    private final Set<String> unchecked = ConcurrentHashMap.newKeySet();

    private volatile boolean started;

    /** Creates a check of this annotation on these beans. */
    public AnnotatedMethodCheck(Class<A> annotation, ConfigurableListableBeanFactory beans) {
        this.annotation = annotation;
        this.beans = beans;
        this.protection = new Protection(annotation, beans);
    }

    /**
     * Checks what is special about the annotation. Checks nothing here.
     *
     * @param type the class of the bean
     * @return the checks that need other beans; they throw {@link MethodRejectedException}, too
     * @throws MethodRejectedException if the annotation cannot work on the method
     */
    protected Runnable check(Method method, Class<?> type, A annotated) {
        return () -> {};
    }

    /** Called for each bean with annotated methods that has been created, but not before all singletons have been. */
    protected void accepted(String bean) {}

    /**
     * Begins to record the beans. The first ones are created before Spring uses this check, a few of them even before
     * this record begins. No test has put its mocks in place of beans by then.
     */
    @Override
    public final void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        singletons(beans::containsBeanDefinition).forEach(unchecked::add);
        beans.addBeanPostProcessor(new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (!started) {
                    unchecked.add(key(bean, name));
                }
                return bean;
            }
        });
    }

    private Stream<String> singletons(Predicate<String> chosen) {
        return Stream.of(beans.getSingletonNames()).filter(chosen).map(name -> key(beans.getSingleton(name), name));
    }

    /** Distinguishes a factory from its product, which Spring gives the same name. */
    private static String key(@Nullable Object bean, String name) {
        return bean instanceof FactoryBean ? BeanFactory.FACTORY_BEAN_PREFIX + name : name;
    }

    /** Checks the methods that Spring will call on the object itself. The definition lists them by then. */
    @Override
    public final void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        ContainerCallbacks callbacks = new ContainerCallbacks(type, definition);
        annotated(type).keySet().stream().filter(callbacks::contain).findFirst().ifPresent(method -> {
            throw rejected(
                    method,
                    "Spring calls it on the object itself, not on its proxy",
                    "move the work to an annotated method of another bean, and call that");
        });
    }

    /** Checks the class before its proxy is created, since the creation fails without the name of the method. */
    @Override
    public final Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = bean.getClass();
        if (Modifier.isFinal(type.getModifiers())) {
            annotated(type).keySet().stream()
                    .filter(method -> FinalClass.isToBeExtended(type, name, beans))
                    .findFirst()
                    .ifPresent(method -> {
                        throw rejected(
                                method,
                                "its class " + type.getSimpleName() + " is final, so no proxy can extend it",
                                FinalClass.remedy(type));
                    });
        }
        return bean;
    }

    @Override
    public final Object getEarlyBeanReference(Object bean, String name) {
        if (protection.covers(bean)) {
            proxiedEarly.add(name);
        }
        return bean;
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String name) {
        unchecked.remove(key(bean, name));
        check(bean, name, proxiedEarly.remove(name));
        return bean;
    }

    private void check(Object bean, String name, boolean isProxiedEarly) {
        if (bean instanceof AopInfrastructureBean) {
            return;
        }
        Set<Method> methods = methods(type(bean));
        methods.forEach(method -> protection.require(bean, name, method, isProxiedEarly));
        if (!methods.isEmpty()) {
            whenStarted(() -> accepted(name));
        }
    }

    /**
     * Returns the class of a bean without its proxies. A factory of proxies is none, but knows the class of its target.
     */
    private static Class<?> type(Object bean) {
        return ClassUtils.getUserClass(
                AopUtils.isAopProxy(bean) ? AopProxyUtils.ultimateTargetClass(bean) : bean.getClass());
    }

    /** Returns the annotated methods of a class, which it checks until they have passed once. */
    private Set<Method> methods(Class<?> type) {
        Set<Method> known = checked.get(type);
        if (known != null) {
            return known;
        }
        Map<Method, A> methods = annotated(type);
        methods.forEach((method, annotated) -> {
            requireProxyable(method);
            requireVisible(method, type);
            whenStarted(check(AnnotatedMethods.named(method, type), type, annotated));
        });
        checked.put(type, Set.copyOf(methods.keySet()));
        return methods.keySet();
    }

    private Map<Method, A> annotated(Class<?> type) {
        return AopInfrastructureBean.class.isAssignableFrom(type) || !AnnotationUtils.isCandidateClass(type, annotation)
                ? Map.of()
                : MethodIntrospector.selectMethods(
                        type, (Method method) -> AnnotatedMethods.find(method, type, annotation));
    }

    private void requireProxyable(Method method) {
        String modifier = Modifier.isPrivate(method.getModifiers())
                ? "private"
                : Modifier.isStatic(method.getModifiers())
                        ? "static"
                        : Modifier.isFinal(method.getModifiers()) ? "final" : "";
        if (!modifier.isEmpty()) {
            throw rejected(
                    method,
                    "it is " + modifier + ", so no proxy can intercept it",
                    modifier.equals("final")
                            ? FinalClass.remedy(method.getDeclaringClass())
                            : "remove '" + modifier + "'");
        }
    }

    /** Checks that a proxy of this class, which lies in the package of the class, can override the method. */
    private void requireVisible(Method method, Class<?> type) {
        Class<?> declaring = method.getDeclaringClass();
        boolean isInherited = Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers());
        boolean isSamePackage = declaring.getPackageName().equals(type.getPackageName())
                && declaring.getClassLoader() == type.getClassLoader();
        if (!isInherited && !isSamePackage) {
            throw rejected(
                    method,
                    "it is not visible in the package of the bean's class " + type.getSimpleName()
                            + ", so no proxy can intercept it",
                    "declare it 'protected' or 'public'");
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
        singletons(name -> !beans.containsBeanDefinition(name)).forEach(unchecked::add);
        unchecked.forEach(this::checkUnseen);
        unchecked.clear();
        started = true;
        for (Runnable action = pending.poll(); action != null; action = pending.poll()) {
            action.run();
        }
    }

    private void checkUnseen(String key) {
        String name = BeanFactoryUtils.transformedBeanName(key);
        if (beans.getSingleton(name) != null && beans.isSingleton(key)) {
            check(beans.getBean(key), name, false);
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
