package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Matches the methods with an annotation, also if an interface, an overridden method or an annotation of the user carries it.
 *
 * @param <A> the annotation
 */
public final class AnnotatedMethods<A extends Annotation> extends StaticMethodMatcherPointcut {

    private final Class<A> annotation;

    /** Creates a pointcut for this annotation. */
    public AnnotatedMethods(Class<A> annotation) {
        this.annotation = annotation;
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, annotation));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(AopUtils.getMostSpecificMethod(method, type), annotation);
    }

    /** Returns {@code true} if this pointcut finds the methods with this annotation. */
    boolean areOf(Class<? extends Annotation> other) {
        return annotation == other;
    }

    /**
     * Returns the method of the bean that a call leads to. If the bean is a proxy, such as a repository or an HTTP client, that is the
     * method of its interface: only there, the parameters have names.
     */
    public static Method method(MethodInvocation call) {
        Class<?> type = type(call);
        return Proxy.isProxyClass(type) ? call.getMethod() : AopUtils.getMostSpecificMethod(call.getMethod(), type);
    }

    /** Returns the class of the bean that a call leads to. */
    public static Class<?> type(MethodInvocation call) {
        return Objects.requireNonNull(call.getThis()).getClass();
    }

    /** Returns the annotation of a call that this pointcut has matched. */
    public static <A extends Annotation> A annotation(MethodInvocation call, Class<A> annotation) {
        return Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method(call), annotation));
    }
}
