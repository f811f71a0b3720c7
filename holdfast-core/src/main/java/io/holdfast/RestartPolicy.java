package io.holdfast;

/** What a node does after it was restarted, flushed, restored or replaced: it may have forgotten who holds a lock. */
public enum RestartPolicy {
    /** {@link #QUARANTINE} with three nodes or more, {@link #UNSAFE_IMMEDIATE} with fewer, where no majority would be left to work. */
    AUTO,
    /**
     * It does not vote for as long as the longest lease. The node refuses by itself, so this holds for every client that
     * guards itself likewise. Needs {@code INFO}; a node that does not answer it does not vote.
     */
    QUARANTINE,
    /**
     * It votes at once, since it forgets nothing: {@code appendonly yes}, {@code appendfsync always}, and {@code
     * no-appendfsync-on-rewrite no} on every node.
     */
    DURABLE,
    /** It votes at once. For development: after a restart two holders are possible. */
    UNSAFE_IMMEDIATE
}
