package io.holdfast.spring.boot.console;

import io.holdfast.Holdfast;
import io.holdfast.console.Console;
import io.holdfast.console.ConsoleOptions;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMapper;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** Configures the console, if it is exposed. {@link ConsoleMappings} serves it. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({Console.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Holdfast.class)
@ConditionalOnAvailableEndpoint(endpoint = HoldfastConsoleEndpoint.class, exposure = EndpointExposure.WEB)
@EnableConfigurationProperties(HoldfastConsoleProperties.class)
@ImportRuntimeHints(HoldfastConsoleAutoConfiguration.Files.class)
public final class HoldfastConsoleAutoConfiguration {

    HoldfastConsoleAutoConfiguration() {}

    /** The files of the page, which a native image has to contain. */
    static final class Files implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources()
                    .registerPattern("io/holdfast/console/openapi.json")
                    .registerPattern("io/holdfast/console/page/**")
                    .registerPattern("META-INF/resources/webjars/preact/**");
        }
    }

    @Bean
    HoldfastConsoleEndpoint holdfastConsoleEndpoint(
            Holdfast holdfast,
            HoldfastConsoleProperties properties,
            ObjectProvider<EndpointAccessResolver> accesses,
            Environment environment) {
        EndpointAccessResolver access = accesses.getIfAvailable(() -> (id, defaultAccess) -> defaultAccess);
        boolean isUnrestricted = access.accessFor(HoldfastConsoleEndpoint.ID, Access.READ_ONLY) == Access.UNRESTRICTED;
        String name = environment.getProperty("spring.application.name", "an application");
        return new HoldfastConsoleEndpoint(Console.of(
                holdfast,
                ConsoleOptions.readOnly(name)
                        .allowing(
                                isUnrestricted && properties.allowBreak(), isUnrestricted && properties.allowAdmit())));
    }

    @Bean
    PathMapper holdfastConsolePath() {
        return id -> id.equals(HoldfastConsoleEndpoint.ID) ? HoldfastConsoleEndpoint.PATH : null;
    }
}
