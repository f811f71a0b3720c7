package io.holdfast.spring.boot.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Tests when an application has a console. */
class HoldfastConsoleAutoConfigurationTest {

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastConsoleAutoConfiguration.class,
                    EndpointAutoConfiguration.class,
                    WebEndpointAutoConfiguration.class,
                    ManagementContextAutoConfiguration.class))
            .withPropertyValues("holdfast.nodes=memory:", "management.endpoints.web.exposure.include=*");

    @Test
    void start_withTheModule_hasOneMapping() {
        application.run(context -> assertThat(context)
                .hasSingleBean(HoldfastConsoleEndpoint.class)
                .getBean(SimpleUrlHandlerMapping.class)
                .extracting(mapping -> mapping.getHandlerMap().keySet())
                .hasToString("[/actuator/holdfast-console/**]"));
    }

    @Test
    void start_withoutTheModule_changesNothing() {
        application
                .withClassLoader(new FilteredClassLoader("io.holdfast.console"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(HoldfastConsoleAutoConfiguration.class)
                        .doesNotHaveBean(SimpleUrlHandlerMapping.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io/holdfast/console/page/index.html",
                "io/holdfast/console/openapi.json",
                "META-INF/resources/webjars/preact/10.28.0/hooks/dist/hooks.umd.js"
            })
    void hints_filesOfThePage_areInANativeImage(String file) {
        RuntimeHints hints = new RuntimeHints();

        new HoldfastConsoleAutoConfiguration.Files()
                .registerHints(hints, getClass().getClassLoader());

        assertThat(getClass().getClassLoader().getResource(file)).isNotNull();
        assertThat(RuntimeHintsPredicates.resource().forResource(file)).accepts(hints);
    }
}
