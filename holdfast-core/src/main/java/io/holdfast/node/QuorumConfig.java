package io.holdfast.node;

import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * What all clients of the same nodes have to agree on: with another number of nodes two majorities need have nothing in
 * common, and with a longer lease a node would come back from its quarantine too early.
 *
 * @param nodes how many there are
 * @param maxLease the longest lease that any client asks for
 */
public record QuorumConfig(int nodes, Duration maxLease) {

    private static final int MARGINS_PER_LEASE = 10;

    /**
     * How long a node that may have forgotten its votes has to be watched before it votes again: the longest lease, and a
     * tenth of it for clocks that run at different rates (a slewing time daemon reaches 8 %).
     */
    public Duration quarantine() {
        return maxLease.plus(Durations.part(maxLease, MARGINS_PER_LEASE));
    }

    @Override
    public String toString() {
        return nodes + (nodes == 1 ? " node" : " nodes") + " and leases of at most " + maxLease.toMillis() + " ms";
    }
}
