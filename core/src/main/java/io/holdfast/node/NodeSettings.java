package io.holdfast.node;

import io.holdfast.security.ConnectionSecurity;
import java.time.Duration;
import java.util.Map;

/**
 * The settings with which a client connects to its nodes.
 *
 * @param config the configuration that all clients share
 * @param guarded whether a node that may have forgotten its votes rejects claims until it is admitted again
 * @param connectTimeout the longest wait for the first connections
 * @param replicas the number of a node's replicas that must confirm a lock before it is granted; 0: none
 * @param security TLS and credentials
 * @param addressMap where servers are reached that other servers name; a host without a port stands for all its ports
 */
public record NodeSettings(
        QuorumConfig config,
        boolean guarded,
        Duration connectTimeout,
        int replicas,
        ConnectionSecurity security,
        Map<NodeAddress.Host, NodeAddress.Host> addressMap) {

    /** Creates settings for nodes whose replicas need not confirm a lock. */
    public NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout) {
        this(config, guarded, connectTimeout, 0, ConnectionSecurity.DEFAULT, Map.of());
    }
}
