package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/**
 * The state of one lock on one node, for display.
 *
 * @param holder a mark of the holder, which cannot be used to release the lock; one common mark if the lock is shared;
 *     empty if the lock is free
 * @param shares the number of shared holders; 0 if the lock is free or exclusive
 * @param timeLeft how long the node keeps the lock unless it is extended; zero if the lock is free
 * @param fence the greatest fence that the node has accepted for the resource
 * @param waiting the number of clients in the wait queue
 * @param note the text with which the holder has {@linkplain NodeAdmin#annotate described} itself; empty if there is
 *     none
 */
public record NodeLockStatus(
        String holder, int shares, Duration timeLeft, FencingToken fence, int waiting, String note) {

    /** Returns {@code true} if the lock is held, exclusive or shared. */
    public boolean isHeld() {
        return !holder.isEmpty();
    }
}
