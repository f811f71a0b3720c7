package io.holdfast.node;

import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * The configuration that all clients of the same nodes must share. With different numbers of nodes, two majorities need
 * not have a node in common. With a longer lease, a node would leave its quarantine too early.
 *
 * @param nodes the number of nodes
 * @param maxLease the longest lease that any client requests
 */
public record QuorumConfig(int nodes, Duration maxLease) {

    private static final int MARGINS_PER_LEASE = 10;

    /**
     * Returns the time for which a node that may have forgotten its votes must be observed before it votes again. It is
     * the longest lease, and a tenth of it for clocks that run at different rates (a slewing time daemon reaches 8 %).
     */
    public Duration quarantine() {
        return maxLease.plus(Durations.part(maxLease, MARGINS_PER_LEASE));
    }

    @Override
    public String toString() {
        return nodes + (nodes == 1 ? " node" : " nodes") + " and leases of at most " + maxLease.toMillis() + " ms";
    }
}
