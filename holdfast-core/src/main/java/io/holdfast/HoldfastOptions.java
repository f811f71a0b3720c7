package io.holdfast;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * What all clients of the same nodes have to agree on, and how this one connects. Immutable; a value that cannot work is
 * refused when it is given.
 *
 * @param maxLease the longest lease that any client asks for, 10 ms to 24 h. A node that was restarted stays out for a tenth more
 *     than this, so a long one makes recovery slow. A node tells a client that goes by another value
 * @param restarts what a restarted node does
 * @param strictFences whether a restarted node stays out until {@code N − Q + 1} other nodes have told which fencing tokens it
 *     may have forgotten. Otherwise, when so many forget at once, tokens stay in order as long as clocks agree to within 5 s
 * @param connectTimeout how long {@code connect} waits for connections
 * @param replicas how many replicas of a node have to have a lock before the node's vote counts, 0 to 100; for nodes that fail over
 */
public record HoldfastOptions(
        Duration maxLease, RestartPolicy restarts, boolean strictFences, Duration connectTimeout, int replicas) {

    private static final int SMALLEST_GUARDED = 3;
    private static final int MAX_REPLICAS = 100;

    /** Leases of up to a minute, quarantine from three nodes on, the clock where too few nodes remember, 2 s to connect. */
    public static final HoldfastOptions DEFAULT =
            new HoldfastOptions(Duration.ofMinutes(1), RestartPolicy.AUTO, false, Duration.ofSeconds(2), 0);

    public HoldfastOptions {
        OptionChecks.lease("maxLease", maxLease);
        connectTimeout = Durations.shorter(connectTimeout, LockOptions.FOREVER);
        if (connectTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "connectTimeout " + connectTimeout + " is below 1 ms; give a duration such as PT2S");
        }
        if (replicas < 0 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas " + replicas + " is out of range; give 0 to " + MAX_REPLICAS
                    + ", at most as many as each node has");
        }
    }

    public HoldfastOptions withMaxLease(Duration newMaxLease) {
        return new HoldfastOptions(newMaxLease, restarts, strictFences, connectTimeout, replicas);
    }

    public HoldfastOptions withRestarts(RestartPolicy newRestarts) {
        return new HoldfastOptions(maxLease, newRestarts, strictFences, connectTimeout, replicas);
    }

    public HoldfastOptions withStrictFences(boolean newStrictFences) {
        return new HoldfastOptions(maxLease, restarts, newStrictFences, connectTimeout, replicas);
    }

    public HoldfastOptions withConnectTimeout(Duration newConnectTimeout) {
        return new HoldfastOptions(maxLease, restarts, strictFences, newConnectTimeout, replicas);
    }

    /**
     * For nodes that fail over to a replica (Sentinel, Cluster): a lock is granted once so many replicas have confirmed it, by {@code
     * WAIT}. It makes a failover that forgets a lock rarer, at the price of a round trip more; it does not rule it out, since nothing
     * obliges Sentinel or Cluster to promote one of those replicas. A server notices ten times a second that a {@code WAIT} is over:
     * give {@link LockOptions#nodeTimeout} 200 ms or more.
     */
    public HoldfastOptions withReplicas(int newReplicas) {
        return new HoldfastOptions(maxLease, restarts, strictFences, connectTimeout, newReplicas);
    }

    NodeSettings nodeSettings(int nodes) {
        return new NodeSettings(quorumConfig(nodes), isGuarded(nodes), connectTimeout, replicas);
    }

    QuorumConfig quorumConfig(int nodes) {
        return new QuorumConfig(nodes, maxLease);
    }

    /** Whether restarted nodes have to stay out. */
    boolean isGuarded(int nodes) {
        return restarts == RestartPolicy.QUARANTINE || (restarts == RestartPolicy.AUTO && nodes >= SMALLEST_GUARDED);
    }

    /** The lease is known to all clients as possible. */
    void requireLease(Duration lease) {
        if (lease.compareTo(maxLease) > 0) {
            throw new IllegalArgumentException("lease " + lease + " is longer than maxLease " + maxLease
                    + ", by which restarted nodes are kept out; shorten the lease, which renewal makes as long as you like, or"
                    + " raise maxLease for all clients");
        }
    }
}
