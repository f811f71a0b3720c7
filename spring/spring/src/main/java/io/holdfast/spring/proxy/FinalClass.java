package io.holdfast.spring.proxy;

import java.util.Set;
import java.util.stream.Stream;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/** Final classes, which no proxy can extend, and the remedy in the language of the user. */
final class FinalClass {

    /** Interfaces for which Spring creates no proxy. */
    private static final Set<Class<?>> CALLBACKS =
            Set.of(InitializingBean.class, DisposableBean.class, AutoCloseable.class, java.io.Closeable.class);

    private FinalClass() {}

    /** Returns {@code true} if Spring would create a proxy of this bean that extends its class, which is final. */
    static boolean isToBeExtended(Class<?> type, String bean, ConfigurableListableBeanFactory beans) {
        return !AnnotatedMethods.isGenerated(type)
                && (extendsClasses(bean, beans)
                        || Stream.of(ClassUtils.getAllInterfacesForClass(type)).noneMatch(FinalClass::isOfUser));
    }

    private static boolean extendsClasses(String bean, ConfigurableListableBeanFactory beans) {
        String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
        boolean byDefault = beans.containsBean(creator)
                && beans.getBean(creator) instanceof ProxyConfig all
                && all.isProxyTargetClass();
        boolean choosesInterfaces = beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean).hasAttribute(AutoProxyUtils.EXPOSED_INTERFACES_ATTRIBUTE);
        return AutoProxyUtils.shouldProxyTargetClass(beans, bean) || (byDefault && !choosesInterfaces);
    }

    private static boolean isOfUser(Class<?> parent) {
        return !CALLBACKS.contains(parent) && !Aware.class.isAssignableFrom(parent) && parent.getMethods().length > 0;
    }

    /** Returns how to make a class or a method of this class open. */
    static String remedy(Class<?> declaring) {
        return KotlinDetector.isKotlinType(declaring)
                ? "declare it 'open', or let the compiler plugin kotlin-spring open it"
                : "remove 'final'";
    }
}
