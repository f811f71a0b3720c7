package io.holdfast.spring.boot.console;

import io.holdfast.console.Console;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Maps requests to the console, on the port of the actuator. The mappings have neither the CORS configuration of the
 * application nor that of the actuator, so no other origin can read an answer.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass(Console.class)
@ConditionalOnBean(HoldfastConsoleEndpoint.class)
public class ConsoleMappings {

    /** Lower than the order of the mappings of the actuator, which is -100. */
    private static final int ORDER = -101;

    private static <T> Map<String, T> paths(PathMappedEndpoints endpoints, T handler) {
        String path = endpoints.getPath(HoldfastConsoleEndpoint.ID);
        return path == null ? Map.of() : Map.of(path + "/**", handler);
    }

    /** The mapping of an application with servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(DispatcherServlet.class)
    static class ServletMapping {

        @Bean
        SimpleUrlHandlerMapping holdfastConsoleMapping(
                HoldfastConsoleEndpoint endpoint, PathMappedEndpoints endpoints) {
            return new SimpleUrlHandlerMapping(paths(endpoints, new ServletConsole(endpoint)), ORDER);
        }
    }

    /** The mapping of a reactive application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(DispatcherHandler.class)
    static class ReactiveMapping {

        @Bean
        org.springframework.web.reactive.handler.SimpleUrlHandlerMapping holdfastConsoleMapping(
                HoldfastConsoleEndpoint endpoint, PathMappedEndpoints endpoints) {
            return new org.springframework.web.reactive.handler.SimpleUrlHandlerMapping(
                    paths(endpoints, new ReactiveConsole(endpoint)), ORDER);
        }
    }
}
