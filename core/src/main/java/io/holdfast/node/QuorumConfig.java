package io.holdfast.node;

import io.holdfast.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that all clients of the same nodes must share. With different numbers of nodes, two majorities need
 * not have a node in common. With a longer lease, a node would leave its quarantine too early.
 *
 * @param nodes the number of nodes
 * @param maxLease the longest lease that any client requests
 * @param other that of the other set, of a client that has both while the nodes are being changed; otherwise null
 */
public record QuorumConfig(
        int nodes, Duration maxLease, @Nullable QuorumConfig other) {

    private static final int MARGINS_PER_LEASE = 10;

    /** Creates the configuration of clients that have one set of nodes. */
    public QuorumConfig(int nodes, Duration maxLease) {
        this(nodes, maxLease, null);
    }

    /** Returns that of a client that has these nodes, and another set as well. */
    public QuorumConfig beside(QuorumConfig otherSet) {
        return new QuorumConfig(nodes, maxLease, otherSet.alone());
    }

    /** Returns that of a client that has these nodes alone. */
    public QuorumConfig alone() {
        return other == null ? this : new QuorumConfig(nodes, maxLease);
    }

    /** Returns whether nodes that have agreed on this configuration accept only clients of both sets. */
    public boolean isClosed() {
        return other != null;
    }

    /**
     * Returns whether nodes that have agreed on this configuration accept a client with that one: the same, or one that
     * has another set as well.
     */
    public boolean accepts(QuorumConfig client) {
        return equals(client) || equals(client.alone());
    }

    /** Returns why nodes that have agreed on this configuration reject a client with that one, and the remedy. */
    public String rejectionOf(QuorumConfig client) {
        if (other != null && alone().equals(client.alone())) {
            return "it accepts only clients that also have the set of " + other
                    + ", since the servers are being changed; "
                    + (client.other == null
                            ? "give this client both sets (--nodes and --previous-nodes), or, after the change, the"
                                    + " new one. If it has that, this server missed the last step: `holdfast nodes"
                                    + " next` completes it"
                            : "the other set of this client is of " + client.other
                                    + ": correct its addresses or its longest lease");
        }
        return "it belongs to a set of " + alone() + ", and this client uses " + client.alone()
                + "; give all clients the same nodes and longest lease, or, with all of them stopped, run"
                + " `holdfast admit` with the new nodes";
    }

    /**
     * Returns the time for which a node that may have forgotten its votes must be observed before it votes again. It is
     * the longest lease, and a tenth of it for clocks that run at different rates (a slewing time daemon reaches 8 %).
     */
    public Duration quarantine() {
        return maxLease.plus(Durations.part(maxLease, MARGINS_PER_LEASE));
    }

    /** Returns the rest of a quarantine after this time; zero if it is over. */
    public Duration quarantineLeft(Duration observed) {
        return Durations.longer(Duration.ZERO, quarantine().minus(observed));
    }

    @Override
    public String toString() {
        long millis = maxLease.toMillis();
        String lease = millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
        return nodes + (nodes == 1 ? " node" : " nodes") + " (longest lease " + lease + ")"
                + (other == null ? "" : " and " + other);
    }
}
