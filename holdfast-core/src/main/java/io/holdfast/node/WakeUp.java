package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/**
 * A wake-up notification of a node to a client in a wait queue.
 *
 * @param resource the name of the lock
 * @param retryAfter the delay after which the client should try again. Zero: the lock is free on the node and
 *     {@linkplain #RESERVATION reserved} for this client. Longer: the lock is reserved for another client, and this one
 *     is next if that one does not claim it
 * @param fence the greatest fence that the node has accepted for the resource; the next proposed fence has to be above
 *     it
 */
public record WakeUp(String resource, Duration retryAfter, FencingToken fence) {

    /**
     * The time for which a free lock stays reserved for a notified client. A client that hangs delays the others by
     * this time.
     */
    public static final Duration RESERVATION = Duration.ofMillis(200);

    /** Returns the notification that the lock is free and reserved for the client. */
    public static WakeUp reserved(String resource, FencingToken fence) {
        return new WakeUp(resource, Duration.ZERO, fence);
    }

    /** Returns the notification that the lock is reserved for another client, and that this client is next. */
    public static WakeUp nextInQueue(String resource, FencingToken fence) {
        return new WakeUp(resource, RESERVATION, fence);
    }

    /** Returns {@code true} if the lock is free and reserved for the notified client. */
    public boolean isReserved() {
        return retryAfter.isZero();
    }
}
