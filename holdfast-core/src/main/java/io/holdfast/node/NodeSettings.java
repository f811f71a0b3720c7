package io.holdfast.node;

import io.holdfast.security.ConnectionSecurity;
import java.time.Duration;

/**
 * The settings by which an adapter connects to nodes.
 *
 * @param config the configuration on which all clients agree
 * @param guarded whether a node that may have forgotten its votes rejects claims until it is admitted again
 * @param connectTimeout the longest wait for the first connections
 * @param replicas how many replicas of a node have to confirm a lock before it is granted
 * @param security TLS and credentials
 */
public record NodeSettings(
        QuorumConfig config, boolean guarded, Duration connectTimeout, int replicas, ConnectionSecurity security) {

    /** Settings of nodes whose replicas do not count, with the default security. */
    public NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout) {
        this(config, guarded, connectTimeout, 0, ConnectionSecurity.DEFAULT);
    }
}
