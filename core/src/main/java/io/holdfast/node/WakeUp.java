package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/**
 * A notification of a node to a client in a wait queue.
 *
 * @param resource the name of the lock
 * @param retryAfter the delay after which the client should try again. Zero: the lock is free on the node and
 *     {@linkplain #RESERVATION reserved} for this client. Longer: the lock is retained until then, or it is reserved
 *     for another client, and this one is next if that one does not claim it
 * @param fence the greatest fence that the node has accepted for the resource; the next proposed fence has to be above
 *     it. Of a grant, the proposed fence of the standing claim
 * @param ownerMark the {@linkplain io.holdfast.lease.Owner#mark mark} of the owner whose standing claim the node has
 *     carried out; empty if it has carried out none. Together with the fence it identifies the claim
 */
public record WakeUp(String resource, Duration retryAfter, FencingToken fence, String ownerMark) {

    /**
     * The time for which a free lock stays reserved for a notified client. A client that hangs delays the others by
     * this time.
     */
    public static final Duration RESERVATION = Duration.ofMillis(200);

    /** Creates a notification that is no grant. */
    public WakeUp(String resource, Duration retryAfter, FencingToken fence) {
        this(resource, retryAfter, fence, "");
    }

    /** Returns the notification that the node has carried out this standing claim, whose owner holds the lock now. */
    public static WakeUp granted(Claim claim) {
        return new WakeUp(
                claim.resource(), Duration.ZERO, claim.fence(), claim.owner().mark());
    }

    /** Returns the notification that the lock is free and reserved for the client. */
    public static WakeUp reserved(String resource, FencingToken fence) {
        return new WakeUp(resource, Duration.ZERO, fence);
    }

    /** Returns the notification that the lock is reserved for another client, and that this client is next. */
    public static WakeUp nextInQueue(String resource, FencingToken fence) {
        return new WakeUp(resource, RESERVATION, fence);
    }

    /** Returns the notification that the lock is retained for this long. A key may last 1 ms longer than requested. */
    public static WakeUp retained(String resource, FencingToken fence, Duration left) {
        return new WakeUp(resource, left.plusMillis(1), fence);
    }

    /** Returns {@code true} if the lock is free and reserved for the notified client. */
    public boolean isReserved() {
        return retryAfter.isZero() && !isGrant();
    }

    /**
     * Returns {@code true} if another client was served and the notified client is next. A lock that is retained for so
     * short a time counts as well.
     */
    public boolean isNextInQueue() {
        return !retryAfter.isZero() && retryAfter.compareTo(RESERVATION) <= 0;
    }

    /** Returns this notification with the request to try again at once. */
    public WakeUp atOnce() {
        return new WakeUp(resource, Duration.ofNanos(1), fence);
    }

    /**
     * Returns {@code true} if the node has granted the lock to a standing claim of the client: a vote for that claim.
     */
    public boolean isGrant() {
        return !ownerMark.isEmpty();
    }

    /** Returns {@code true} if the node has carried out this claim. */
    public boolean grants(Claim claim) {
        return ownerMark.equals(claim.owner().mark()) && fence.equals(claim.fence());
    }
}
