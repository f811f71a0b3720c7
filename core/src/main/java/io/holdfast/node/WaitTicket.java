package io.holdfast.node;

import io.holdfast.lease.LockMode;
import java.time.Duration;

/**
 * A waiter's position in the wait queues of the nodes. The queues of different nodes agree on the order, since it
 * follows from the number and not from the order of arrival.
 *
 * @param inbox the inbox that receives the client's wake-up notifications; a client has one entry for each resource and
 *     mode
 * @param number the beginning of the wait, in microseconds since 1970 by the nodes' clocks, or {@link #LAST}; smaller
 *     numbers go first
 * @param fair whether the waiter refuses a free lock while other waiters are queued ahead of it
 * @param mode the mode of the requested lock
 */
public record WaitTicket(String inbox, long number, boolean fair, LockMode mode) {

    /**
     * The number of a waiter whose client does not know the nodes' clocks yet: the greatest exact score of a Redis
     * sorted set.
     */
    public static final long LAST = (1L << 53) - 1;

    /** The prefix that marks the entry of a shared waiter. */
    public static final String SHARE_PREFIX = "~";

    /**
     * The suffix of the name under which a client waits on nodes of the previous set. The ids of clients end with a
     * digit.
     */
    public static final String PREVIOUS_SUFFIX = "p";

    /** The life of a wait queue after its last entry was added. */
    public static final Duration QUEUE_LIFE = Duration.ofMinutes(10);

    /**
     * Returns the name of the queue entry on a node: the inbox, with the prefix {@link #SHARE_PREFIX} for a shared
     * waiter.
     */
    public String entry() {
        return mode == LockMode.SHARED ? SHARE_PREFIX + inbox : inbox;
    }

    /** Returns {@code true} if the number is {@link #LAST}, since the nodes' clocks are not known yet. */
    public boolean isLast() {
        return number == LAST;
    }
}
