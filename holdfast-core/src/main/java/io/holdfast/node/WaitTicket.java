package io.holdfast.node;

import io.holdfast.lease.LockMode;

/**
 * A waiter's place in line. Lines on different nodes agree on it, because the number orders them and not the arrival.
 *
 * @param inbox where the waiter's client is woken; a client has one place in the line of a resource
 * @param number since when it waits, in microseconds by the nodes' clocks: the smaller goes first
 * @param fair whether the waiter refuses a free lock while others are before it in line
 * @param mode how it wants to hold the lock
 */
public record WaitTicket(String inbox, long number, boolean fair, LockMode mode) {

    /** The number of whoever does not know the nodes' clocks yet: the greatest that a sorted set of Redis keeps exactly. */
    public static final long LAST = (1L << 53) - 1;

    /** Marks those who want a share. */
    public static final String SHARE = "~";

    /** What a node calls the place: the inbox, marked if its client wants a share. */
    public String entry() {
        return mode == LockMode.SHARED ? SHARE + inbox : inbox;
    }

    /** Whether its place is not known yet. */
    public boolean isLast() {
        return number == LAST;
    }
}
