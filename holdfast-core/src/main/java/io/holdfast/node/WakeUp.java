package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/**
 * What a node tells a client that waits.
 *
 * @param resource what it waits for
 * @param retryAfter how soon to ask again. Zero: the lock is free there, and reserved for this client for a short time. Longer: it is
 *     reserved for another one that long, and this client is next if that one does not come
 * @param fence the greatest fencing token that the node has accepted for the resource: what is proposed has to be above it
 */
public record WakeUp(String resource, Duration retryAfter, FencingToken fence) {

    /** How long a lock is kept for whoever was called: what a waiter costs that hangs, or has gone without a word. */
    public static final Duration RESERVATION = Duration.ofMillis(200);

    /** The lock is free, and kept for this client. */
    public static WakeUp reserved(String resource, FencingToken fence) {
        return new WakeUp(resource, Duration.ZERO, fence);
    }

    /** Another was called; this client is next. */
    public static WakeUp nextInQueue(String resource, FencingToken fence) {
        return new WakeUp(resource, RESERVATION, fence);
    }

    /** Whether the lock is free and kept for this client. */
    public boolean isReserved() {
        return retryAfter.isZero();
    }
}
