package io.holdfast;

/**
 * The behaviour of a node after it was restarted, flushed, restored or replaced, and may have forgotten which locks are
 * held.
 */
public enum RestartPolicy {
    /**
     * {@link #QUARANTINE} with three nodes or more, {@link #UNSAFE_IMMEDIATE} with fewer, where no majority would be
     * left to work.
     */
    AUTO,
    /**
     * The node does not vote for a tenth more than {@link HoldfastOptions#maxLease}. The node itself rejects claims,
     * for every client with this policy. Needs the right to {@code INFO}; a node that does not answer it does not vote.
     */
    QUARANTINE,
    /**
     * The node votes at once, since it forgets nothing: {@code appendonly yes}, {@code appendfsync always}, and {@code
     * no-appendfsync-on-rewrite no} on every node.
     */
    DURABLE,
    /** The node votes at once. For development: after a restart two holders are possible. */
    UNSAFE_IMMEDIATE
}
