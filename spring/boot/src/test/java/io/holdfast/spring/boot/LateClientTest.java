package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.node.NodeStatus;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests a client that is created by its first use, on a thread of a pool. */
class LateClientTest {

    private final MemoryNodes nodes = new MemoryNodes();
    private final ApplicationContextRunner lazy = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withInitializer(
                    context -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
            .withBean(MemoryNodes.class, () -> nodes)
            .withPropertyValues("holdfast.nodes=redis://a:6379");

    /** Threads of the common pool do not see the classes in an executable jar of Boot. */
    @Test
    void client_threadThatDoesNotSeeTheApplication_findsTheRedisClient() {
        lazy.run(context -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            try {
                assertThat(context.getBean(Holdfast.class).nodes())
                        .extracting(NodeStatus::name)
                        .containsExactly("redis://a:6379");
            } finally {
                thread.setContextClassLoader(before);
            }
        });
    }
}
