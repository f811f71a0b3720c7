package io.holdfast.node;

import java.time.Duration;

/**
 * What a node is asked.
 *
 * @param action what to do for the owner
 * @param resource the name of what is locked
 * @param owner the token of the attempt
 * @param ttl how long the node keeps the lock from now on, in whole milliseconds, at least 1; of no meaning for a release
 * @param fence the fencing token that the attempt proposes
 */
public record Claim(Action action, String resource, Owner owner, Duration ttl, FencingToken fence) {

    /** What an owner asks for. */
    public enum Action {
        /** Take the lock if it is free and the fence is above all that the node has accepted. Granted again to its own owner. */
        ACQUIRE,
        /** Let the lock live for {@code ttl} from now, never shorter than it would; only if the owner holds it. Creates nothing. */
        EXTEND,
        /**
         * The same, after a majority has confirmed an extension, from a node that has lost the lock: set it again if the
         * resource is free there and no greater fence has been accepted.
         */
        REPAIR,
        /** Give the lock up if the owner holds it; and in any case accept no claim of this attempt that arrives later. */
        RELEASE
    }

    public Claim {
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("A claim's ttl is at least 1 ms, not " + ttl);
        }
    }

    public static Claim acquire(String resource, Owner owner, Duration ttl, FencingToken fence) {
        return new Claim(Action.ACQUIRE, resource, owner, ttl, fence);
    }

    /** The same attempt asks for more time. */
    public Claim extend(Duration newTtl) {
        return new Claim(Action.EXTEND, resource, owner, newTtl, fence);
    }

    /** The same attempt, confirmed by a majority, asks a node that has lost the lock to keep it again. */
    public Claim repair(Duration timeLeft) {
        return new Claim(Action.REPAIR, resource, owner, timeLeft, fence);
    }

    /** The same attempt gives up what it has. */
    public Claim release() {
        return new Claim(Action.RELEASE, resource, owner, ttl, fence);
    }
}
