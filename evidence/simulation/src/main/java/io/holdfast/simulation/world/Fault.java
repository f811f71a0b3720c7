package io.holdfast.simulation.world;

import java.util.Set;

/**
 * Something that was done to a machine or a network.
 *
 * @param where the name of the machine, or of a client and a node with an arrow between
 * @param what the fault in one or two words
 */
public record Fault(String where, String what) {

    /** Reports that a process has closed its client and ended. */
    public static final String CLOSED = "closed";

    /** Reports that a client does not run, or reaches no node, for less than a third of its leases. */
    public static final String INTERRUPTED = "interrupted";

    /** Reports the end of an interruption. */
    public static final String RESUMED = "resumed";

    private static final Set<String> HARMLESS = Set.of(CLOSED, INTERRUPTED, RESUMED);

    /** Returns whether no lease may be lost by it. */
    public boolean isHarmless() {
        return HARMLESS.contains(what);
    }
}
