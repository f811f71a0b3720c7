package io.holdfast.admin;

import java.time.Instant;
import java.util.List;

/**
 * Clients that wait for each other: each one waits for a lock that the next one holds, and the last one for a lock of
 * the first. If each of them is one thread, no wait ends before its limit. Immutable.
 *
 * <p>A client may have many threads. If some hold locks and others wait, it may be in a cycle that ends as soon as a
 * thread that does not wait releases its lock. A cycle that lasts longer than the work under these locks is a
 * deadlock.
 *
 * @param steps the waits, from the first client on; at least two
 */
public record WaitCycle(List<Step> steps) {

    /**
     * One wait.
     *
     * @param client the id of the client that waits; {@link LockStatus#clients} describes it
     * @param since when its wait began, by the clock of the nodes
     * @param waitsFor the name of the lock for which it waits, and which the client of the next step holds
     */
    public record Step(String client, Instant since, String waitsFor) {}

    /** Creates a cycle. */
    public WaitCycle {
        steps = List.copyOf(steps);
    }

    /**
     * Returns the cycles of the holds and waits that two readings of locks have in common: one for each set of clients
     * that wait for each other, the shortest one. Holds and waits that last from one reading to the next existed at the
     * same time, so the locks of a reading need not be read at once. A client that is queued on no majority of the
     * nodes, or by no known clock, is not counted.
     *
     * @param before the states of locks, as {@link LockAdmin#list()} returns them
     * @param later the states of these locks in a reading that began after the first one had ended, a second or more
     *     later
     */
    public static List<WaitCycle> in(List<LockStatus> before, List<LockStatus> later) {
        return WaitGraph.of(before).common(WaitGraph.of(later)).cycles();
    }
}
