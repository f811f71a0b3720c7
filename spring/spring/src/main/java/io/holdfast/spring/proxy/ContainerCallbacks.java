package io.holdfast.spring.proxy;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ObjectUtils;

/**
 * The methods of one bean that Spring calls on the object itself: before it has a proxy, or after that is out of use.
 */
final class ContainerCallbacks {

    private final Class<?> type;
    private final RootBeanDefinition definition;

    ContainerCallbacks(Class<?> type, RootBeanDefinition definition) {
        this.type = type;
        this.definition = definition;
    }

    /** Returns {@code true} if Spring calls this method on the object itself. */
    boolean contain(Method method) {
        return definition.isExternallyManagedConfigMember(method)
                || isOfCallbackInterface(method)
                || isSetter(method)
                || (method.getParameterCount() == 0 && (isInit(method.getName()) || isDestroy(method.getName())));
    }

    private boolean isOfCallbackInterface(Method method) {
        return AnnotatedMethods.declarations(method, type, type)
                .map(Method::getDeclaringClass)
                .anyMatch(declaring -> declaring == InitializingBean.class
                        || declaring == DisposableBean.class
                        || Aware.class.isAssignableFrom(declaring));
    }

    /** A method that looks like a setter is an ordinary one, unless the definition has a value for it. */
    private boolean isSetter(Method method) {
        PropertyDescriptor property = BeanUtils.findPropertyForMethod(method, type);
        int mode = definition.getResolvedAutowireMode();
        return property != null
                && method.equals(property.getWriteMethod())
                && (mode == AutowireCapableBeanFactory.AUTOWIRE_BY_NAME
                        || mode == AutowireCapableBeanFactory.AUTOWIRE_BY_TYPE
                        || definition.getPropertyValues().contains(property.getName()));
    }

    /** The methods with {@code @PostConstruct} and {@code @PreDestroy} are externally managed. */
    private boolean isInit(String name) {
        return definition.isExternallyManagedInitMethod(name)
                || ObjectUtils.containsElement(definition.getInitMethodNames(), name);
    }

    private boolean isDestroy(String name) {
        return !definition.isPrototype()
                && (definition.isExternallyManagedDestroyMethod(name)
                        || ObjectUtils.containsElement(definition.getDestroyMethodNames(), name)
                        || name.equals(inferredDestroyMethod()));
    }

    /** Returns the method that Spring finds by its name; null if there is none. */
    private @Nullable String inferredDestroyMethod() {
        String declared = definition.getDestroyMethodName();
        boolean isInferred = AbstractBeanDefinition.INFER_METHOD.equals(declared)
                || (declared == null && AutoCloseable.class.isAssignableFrom(type));
        return isInferred && !DisposableBean.class.isAssignableFrom(type)
                ? Stream.of("close", "shutdown")
                        .filter(this::exists)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private boolean exists(String method) {
        return BeanUtils.findMethod(type, method) != null;
    }
}
