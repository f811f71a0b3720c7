package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.leader.OnlyLeader;
import io.holdfast.spring.proxy.MethodRejectedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

/**
 * Tests annotated methods in applications whose configuration does not protect them, as after an exclusion or in a
 * slice.
 */
class UnprotectedMethodsTest {

    /** A bean with a lock. */
    static class Shop {
        @HoldfastLock("order")
        public String ship() {
            return CurrentLease.get().resource();
        }
    }

    /** A bean with a job of the leader. */
    static class Reports {
        @OnlyLeader("reports")
        public void run() {}
    }

    /** A bean without annotated methods. */
    static class Plain {
        public void run() {}
    }

    private static ConfigurableApplicationContext start(Class<?>... beans) {
        return new SpringApplicationBuilder(beans)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "logging.level.root=off")
                .run();
    }

    @ParameterizedTest
    @ValueSource(classes = {Shop.class, Reports.class})
    void start_withoutTheAutoConfiguration_isRefused(Class<?> bean) {
        assertThatThrownBy(() -> start(bean))
                .hasRootCauseInstanceOf(MethodRejectedException.class)
                .rootCause()
                .hasMessageContaining(bean.getSimpleName())
                .hasMessageContaining("this application context has no configuration that would intercept it")
                .hasMessageContaining("; add HoldfastAutoConfiguration");
    }

    /** Is created before all other beans, because the method with its post-processor is not static. */
    @Configuration
    static class Early {
        @Bean
        PropertySourcesPlaceholderConfigurer placeholders() {
            return new PropertySourcesPlaceholderConfigurer();
        }

        @HoldfastLock("order")
        public void ship() {}
    }

    @Test
    void start_beanIsCreatedBeforeAllOthers_isRefused() {
        assertThatThrownBy(() -> start(Early.class))
                .isInstanceOf(MethodRejectedException.class)
                .hasMessageContaining("Early.ship: this application context has no configuration");
    }

    @Test
    void start_withoutAnnotatedMethods_needsNothing() {
        start(Plain.class).close();
    }

    /** Without Boot's proxies, which a property may turn off. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
    static class OnlyHoldfast {
        @Bean
        Holdfast client() {
            return Holdfast.connect(List.of("redis://a:6379"), HoldfastOptions.DEFAULT, new MemoryNodes());
        }
    }

    @Test
    void start_autoConfigurationAlone_protects() {
        try (ConfigurableApplicationContext context = start(OnlyHoldfast.class, Shop.class)) {
            assertThat(context.getBean(Shop.class).ship()).isEqualTo("order");
        }
    }

    /** The advisors of the parent would be used, but nothing in the child creates proxies. */
    @Test
    void start_childOfAnApplication_isRefused() {
        try (ConfigurableApplicationContext parent = start(OnlyHoldfast.class)) {
            assertThatThrownBy(() -> new SpringApplicationBuilder(Shop.class)
                            .parent(parent)
                            .web(WebApplicationType.NONE)
                            .properties("spring.main.banner-mode=off", "logging.level.root=off")
                            .run())
                    .hasRootCauseInstanceOf(MethodRejectedException.class);
        }
    }
}
