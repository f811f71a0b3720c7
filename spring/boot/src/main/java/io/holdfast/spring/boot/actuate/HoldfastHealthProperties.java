package io.holdfast.spring.boot.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the health of the nodes. Immutable.
 *
 * @param enabled Whether the health of Holdfast's nodes is part of the health of the application.
 * @param timeout Longest wait for the answer of a node, which then counts as unreachable.
 * @param downIfOverdue Whether the status is DOWN if a job is overdue, whichever process should run it.
 */
@ConfigurationProperties("management.health.holdfast")
public record HoldfastHealthProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("500ms") Duration timeout,
        @DefaultValue("false") boolean downIfOverdue) {

    /** Without time to answer, each node would count as unreachable. */
    public HoldfastHealthProperties {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout
                    + " leaves no time for an answer; set management.health.holdfast.timeout to a positive duration,"
                    + " such as 500ms");
        }
    }
}
