package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/**
 * One lock as one node has it, for people.
 *
 * @param holder what tells its holder from others, and releases nothing; empty if it is free, and a word for all of those who
 *     share it
 * @param shares how many share it; 0: nobody does
 * @param timeLeft how long the node keeps it unless it is renewed; zero: it is free
 * @param fence the greatest fencing token that was accepted
 * @param waiting how many clients stand in line
 * @param note what its holder has written about itself; empty if nothing
 */
public record NodeLockStatus(
        String holder, int shares, Duration timeLeft, FencingToken fence, int waiting, String note) {

    /** Whether somebody holds it. */
    public boolean isHeld() {
        return !holder.isEmpty();
    }
}
