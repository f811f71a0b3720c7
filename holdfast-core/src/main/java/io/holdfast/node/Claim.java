package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node is asked.
 *
 * @param action what to do for the owner
 * @param resource the name of what is locked
 * @param owner the token of the attempt
 * @param mode with whom the lock is held
 * @param ttl how long the node keeps the lock from now on, in whole milliseconds, at least 1; of no meaning where the lock is
 *     given up
 * @param fence the fencing token of the lease; of a repair, and of a release that follows repairs, the greatest number that the
 *     attempt has sent to this node
 * @param followers how many leases may follow this one within the process, each with the next of the attempt's fencing tokens
 * @param ticket the place in line of whoever waits; null: it does not, or does not wait any more
 */
public record Claim(
        Action action,
        String resource,
        Owner owner,
        LockMode mode,
        Duration ttl,
        FencingToken fence,
        int followers,
        @Nullable WaitTicket ticket) {

    private static final int TOKEN_STEP = 2;

    /** What an owner asks for. */
    public enum Action {
        /**
         * Take the lock if it is free, not kept for another, and the fence is above all that the node has accepted. Granted again to
         * its own owner. If it is refused, one with a ticket is in line from now on. To a shared claim, a lock that is held shared is
         * free as long as nobody who wants it exclusively stands in line before.
         */
        ACQUIRE,
        /**
         * Let the lock live for {@code ttl} from now, never shorter than it would; only if the owner holds it. Creates nothing. A
         * shared claim of an owner who holds it exclusively shares it from then on.
         */
        EXTEND,
        /**
         * Extend the lock, or set it again where the resource is free and the fence is above all that the node has accepted. Sent
         * to a node that has lost the lock, after a majority has confirmed an extension. Never takes the key of another owner.
         */
        REPAIR,
        /**
         * Give the lock up if the owner holds it, and call whoever is next in line; and in any case accept no claim and no repair of
         * this attempt that arrives later. One with a ticket leaves the line as well.
         */
        RELEASE,
        /** The same, but one with a ticket stays in line, or is again: the attempt is over, and the next one will come. */
        RELEASE_AND_REQUEUE
    }

    public Claim {
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("A claim's ttl is at least 1 ms, not " + ttl);
        }
        if (followers < 0) {
            throw new IllegalArgumentException("A claim has 0 or more followers, not " + followers);
        }
    }

    /** An attempt for one lease. */
    public static Claim acquire(String resource, Owner owner, Duration ttl, FencingToken fence) {
        return new Claim(Action.ACQUIRE, resource, owner, LockMode.EXCLUSIVE, ttl, fence, 0, null);
    }

    /** How many numbers an attempt takes that may be followed by so many leases. */
    public static long fencesFor(int followers) {
        return (long) TOKEN_STEP * followers;
    }

    /** The same attempt, with tokens for so many leases that follow. */
    public Claim withFollowers(int newFollowers) {
        return new Claim(action, resource, owner, mode, ttl, fence, newFollowers, ticket);
    }

    /** The same attempt of a waiter in line. */
    public Claim withTicket(@Nullable WaitTicket newTicket) {
        return new Claim(action, resource, owner, mode, ttl, fence, followers, newTicket);
    }

    /** The same attempt, with this access. */
    public Claim withMode(LockMode newMode) {
        return new Claim(action, resource, owner, newMode, ttl, fence, followers, ticket);
    }

    /** Whether others may hold the lock with it. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /** The greatest fencing token of the attempt. */
    public FencingToken greatestFence() {
        return fence.plus(fencesFor(followers));
    }

    /** Whether both speak of one lease, whatever they ask for it. */
    public boolean isOfSameLease(@Nullable Claim other) {
        return other != null
                && owner.token().equals(other.owner.token())
                && fence.compareTo(other.fence) == 0
                && mode == other.mode;
    }

    /** Whether tokens are left for another lease, and the lock can be handed to one: a share cannot. */
    public boolean hasFollower() {
        return followers > 0 && !isShared();
    }

    /** The lease that follows this one within the process: the nodes know it by the same owner. */
    public Claim follower() {
        return new Claim(action, resource, owner, mode, ttl, fence.plus(TOKEN_STEP), followers - 1, ticket);
    }

    /** The same attempt asks for more time. */
    public Claim extend(Duration newTtl) {
        return become(Action.EXTEND, newTtl);
    }

    /**
     * The same attempt, confirmed by a majority, asks a node that has lost the lock to keep it again.
     *
     * @param proposed a number that the attempt has never sent to this node; it is no token of a lease
     */
    public Claim repair(Duration timeLeft, FencingToken proposed) {
        return new Claim(Action.REPAIR, resource, owner, mode, timeLeft, proposed, 0, null);
    }

    /** The same claim, which covers the repairs of its attempt up to this number. */
    public Claim covering(FencingToken repaired) {
        return repaired.isAbove(greatestFence())
                ? new Claim(action, resource, owner, mode, ttl, repaired, 0, ticket)
                : this;
    }

    /** The same attempt gives up what it has. */
    public Claim release() {
        return become(Action.RELEASE, ttl);
    }

    /** The same attempt gives up what it has, and stays in line. */
    public Claim releaseAndRequeue() {
        return become(Action.RELEASE_AND_REQUEUE, ttl);
    }

    /** Whether it gives up what the attempt has. */
    public boolean isRelease() {
        return action == Action.RELEASE || action == Action.RELEASE_AND_REQUEUE;
    }

    private Claim become(Action newAction, Duration newTtl) {
        return new Claim(newAction, resource, owner, mode, newTtl, fence, followers, ticket);
    }
}
