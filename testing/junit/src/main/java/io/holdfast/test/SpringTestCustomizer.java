package io.holdfast.test;

import io.holdfast.Holdfast;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Gives the application of a test with {@link HoldfastTest} the nodes and the client of the test. Spring finds it. */
final class SpringTestCustomizer implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> tests, List<ContextConfigurationAttributes> attributes) {
        HoldfastTest annotation = TestContextAnnotationUtils.findMergedAnnotation(tests, HoldfastTest.class);
        return annotation == null ? null : new Customizer(annotation.servers());
    }

    /** Equal ones share a context. */
    private record Customizer(int servers) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
            RootBeanDefinition nodes = new RootBeanDefinition(LockNodes.class, () -> HoldfastExtension.start(servers));
            nodes.setDestroyMethodName("close");
            registry.registerBeanDefinition("holdfastNodesOfTheTest", nodes);
            RootBeanDefinition client = new RootBeanDefinition(
                    Holdfast.class, () -> context.getBean(LockNodes.class).connect());
            client.setDestroyMethodName("close");
            client.setDependsOn("holdfastNodesOfTheTest");
            // An application may define a client, which a test must not use.
            client.setPrimary(true);
            registry.registerBeanDefinition("holdfastOfTheTest", client);
        }
    }
}
