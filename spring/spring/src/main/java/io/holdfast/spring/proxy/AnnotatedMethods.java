package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Matches the methods with an annotation, also if an interface, an overridden method or an annotation of the user
 * carries it.
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
        return find(method, type, annotation) != null;
    }

    /** Returns {@code true} if this pointcut finds the methods with this annotation. */
    boolean areOf(Class<? extends Annotation> other) {
        return annotation == other;
    }

    /**
     * Returns the method of the bean that a call leads to. If the bean has no class in the code, such as a repository,
     * an HTTP client or a lambda expression, that is the method of its interface: only there, the parameters have
     * names.
     */
    public static Method method(MethodInvocation call) {
        Class<?> type = type(call);
        return isGenerated(type) ? call.getMethod() : AopUtils.getMostSpecificMethod(call.getMethod(), type);
    }

    /** Returns the method whose parameters have names, for a method of a bean. */
    static Method named(Method method, Class<?> type) {
        return isGenerated(type) ? declarations(method, type, type).findFirst().orElse(method) : method;
    }

    /** Returns {@code true} for the classes of Java for which Spring creates a proxy of their interfaces. */
    static boolean isGenerated(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Returns the class of the bean that a call leads to. */
    public static Class<?> type(MethodInvocation call) {
        return Objects.requireNonNull(call.getThis()).getClass();
    }

    /** Returns the annotation of a call that this pointcut has matched. */
    public static <A extends Annotation> A annotation(MethodInvocation call, Class<A> annotation) {
        return Objects.requireNonNull(find(method(call), type(call), annotation));
    }

    /**
     * Returns the annotation that a method of a bean carries or inherits; null if there is none.
     *
     * @param type the class of the bean, whose interfaces may declare a method that a superclass supplies
     */
    static <A extends Annotation> @Nullable A find(Method method, Class<?> type, Class<A> annotation) {
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        A found = AnnotatedElementUtils.findMergedAnnotation(specific, annotation);
        // The superclass need not implement the interface, so a search from its method does not lead there.
        return found != null
                ? found
                : declarations(specific, type, type)
                        .map(declared -> AnnotatedElementUtils.findMergedAnnotation(declared, annotation))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Returns the methods of interfaces through which a call leads to a method of a bean.
     *
     * @param specific the method that runs
     * @param type the class of the bean
     * @param interfaces the class whose interfaces count: that of the bean, or of its proxy
     */
    static Stream<Method> declarations(Method specific, Class<?> type, Class<?> interfaces) {
        return Stream.of(ClassUtils.getAllInterfacesForClass(interfaces))
                .flatMap(parent -> Stream.of(parent.getMethods()))
                .filter(declared -> declared.getName().equals(specific.getName())
                        && declared.getParameterCount() == specific.getParameterCount()
                        && !Modifier.isStatic(declared.getModifiers()))
                // Resolves type parameters: the interface may declare another erasure of the same method.
                .filter(declared ->
                        AopUtils.getMostSpecificMethod(declared, type).equals(specific));
    }
}
