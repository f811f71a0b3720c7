package io.holdfast.node;

import java.time.Duration;

/**
 * How nodes are connected to.
 *
 * @param config what all clients agree on
 * @param guarded whether a node that may have forgotten its votes refuses claims until it is admitted again
 * @param connectTimeout how long to wait at most for the first connections
 * @param replicas how many replicas of a node have to have a lock before it is granted
 */
public record NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout, int replicas) {

    /** Nodes whose replicas do not count. */
    public NodeSettings(QuorumConfig config, boolean guarded, Duration connectTimeout) {
        this(config, guarded, connectTimeout, 0);
    }
}
