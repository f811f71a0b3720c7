package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The proxy that carries out an annotation. Immutable. */
record Protection(Class<? extends Annotation> annotation, ListableBeanFactory beans) {

    /**
     * Checks that calls of a method of a bean lead through a proxy with the advice of the annotation.
     *
     * @param isProxiedEarly whether its proxy was created before its initialization
     * @throws MethodRejectedException if they do not
     */
    void require(Object bean, String name, Method method, boolean isProxiedEarly) {
        if (AopUtils.isJdkDynamicProxy(bean)) {
            requireInterface(bean, method);
        }
        boolean isProxy = AopUtils.isAopProxy(bean);
        if (isProxy ? covers(bean) : isProxiedEarly) {
            return;
        }
        throw isConfigured() ? unprotected(isProxy, name, method) : notConfigured(method);
    }

    /**
     * Returns {@code true} if a bean is a proxy with the advice of the annotation, or one that does not show its
     * advice.
     */
    boolean covers(@Nullable Object bean) {
        if (!(bean instanceof Advised proxy)) {
            return bean != null && AopUtils.isAopProxy(bean);
        }
        return Stream.of(proxy.getAdvisors()).anyMatch(this::isOfAnnotation)
                // The target is a bean of its own, which has its own check.
                || proxy.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource
                || covers(AopProxyUtils.getSingletonTarget(proxy));
    }

    private boolean isOfAnnotation(Advisor advisor) {
        return advisor instanceof PointcutAdvisor annotated
                && annotated.getPointcut() instanceof AnnotatedMethods<?> methods
                && methods.areOf(annotation);
    }

    private void requireInterface(Object bean, Method method) {
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        if (!method.getDeclaringClass().isInstance(bean)
                && AnnotatedMethods.declarations(method, type, bean.getClass())
                        .findAny()
                        .isEmpty()) {
            throw rejected(
                    method,
                    "its bean is a proxy of interfaces, which do not contain it",
                    "declare it in an interface, or use class proxies (spring.aop.proxy-target-class=true)");
        }
    }

    private boolean isConfigured() {
        return beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, Advisor.class, true, false).values().stream()
                        .anyMatch(this::isOfAnnotation);
    }

    private MethodRejectedException notConfigured(Method method) {
        return rejected(
                method,
                "this application context has no configuration that would intercept it, so it would run unprotected",
                "add HoldfastAutoConfiguration, in a test of a slice by @ImportAutoConfiguration; without Boot, use"
                        + " @EnableHoldfastLocks and @EnableHoldfastLeaders");
    }

    private MethodRejectedException unprotected(boolean isProxy, String name, Method method) {
        String bean = "its bean '" + name + "' ";
        if (isProxy) {
            return rejected(
                    method,
                    bean + "is a proxy that the application has created, without the advice of the annotation",
                    "define the object itself as the bean, for which Spring then creates a proxy");
        }
        return beans.containsBeanDefinition(name)
                ? rejected(
                        method,
                        bean + "has no proxy, because it is created before all others or is an advice",
                        "declare the @Bean methods of post-processors 'static', or move the method to a bean on which"
                                + " none of them depends")
                : rejected(
                        method,
                        bean + "has no proxy, because the application has registered the object itself",
                        "register a definition of the bean, such as by registerBean, for which Spring creates a proxy");
    }

    private MethodRejectedException rejected(Method method, String reason, String remedy) {
        return new MethodRejectedException(method, annotation, reason, remedy);
    }
}
