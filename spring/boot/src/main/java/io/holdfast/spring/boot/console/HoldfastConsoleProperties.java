package io.holdfast.spring.boot.console;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the console. Immutable.
 *
 * @param allowBreak Whether a viewer may take a lock from its holder, if the access to the endpoint is unrestricted.
 * @param allowAdmit Whether a viewer may end the quarantine of servers, if the access to the endpoint is unrestricted.
 */
@ConfigurationProperties("management.endpoint.holdfast-console")
public record HoldfastConsoleProperties(
        @DefaultValue("false") boolean allowBreak,
        @DefaultValue("false") boolean allowAdmit) {}
