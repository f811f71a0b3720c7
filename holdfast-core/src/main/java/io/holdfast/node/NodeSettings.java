package io.holdfast.node;

import java.time.Duration;

/**
 * The settings with which a client connects to its nodes.
 *
 * @param config the configuration that all clients share
 * @param guarded whether a node that may have forgotten its votes refuses claims until it is admitted again
 * @param connectTimeout the longest wait for the first connections
 * @param replicas the number of a node's replicas that must confirm a lock before it is granted; 0: none
 */
public record NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout, int replicas) {

    /** Creates settings for nodes whose replicas need not confirm a lock. */
    public NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout) {
        this(config, guarded, connectTimeout, 0);
    }
}
