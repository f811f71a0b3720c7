package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to one node, made by one attempt to hold a lock.
 *
 * @param action the operation to carry out for the owner
 * @param resource the key of the lock; see {@link ResourceName}
 * @param owner the secret of the attempt, by which the node recognizes it
 * @param mode whether the lock is exclusive or shared
 * @param ttl how long the node keeps the lock from now on, at least 1 ms; nodes round it down to whole milliseconds. A
 *     release other than {@link Action#RETAIN} ignores it
 * @param fence the proposed fence, which is the lease's fencing token if the claim is granted. In a repair, and in a
 *     release that follows repairs, the greatest fence that the attempt has sent to this node
 * @param followers the number of leases that may follow this one within the process, 0 or more, each with the next of
 *     the attempt's fences
 * @param ticket the position of the attempt's waiter in the wait queue; null if the attempt is not queued
 * @param requeued whether a release leaves or puts the ticket's entry in the wait queue; otherwise it removes the entry
 * @param servesNext whether a release carries out the standing claim of the next waiter
 */
public record Claim(
        Action action,
        String resource,
        Owner owner,
        LockMode mode,
        Duration ttl,
        FencingToken fence,
        int followers,
        @Nullable WaitTicket ticket,
        boolean requeued,
        boolean servesNext) {

    /**
     * The longest time for which a node keeps a lock that a standing claim has taken, until the client extends it. It
     * contains the age of the claim and the longest margin, and leaves more than a second. A waiter that hangs costs
     * the others this time.
     */
    public static final Duration STANDING_TTL = Duration.ofSeconds(3);

    /** The longest age up to which a node carries out a standing claim. */
    public static final Duration LONGEST_STANDING_AGE = Duration.ofMillis(500);

    private static final int STANDING_AGES_PER_TTL = 4;

    private static final int FENCE_STEP = 2;

    /** The operation that a claim requests. */
    public enum Action {
        /**
         * Takes the lock if it is free and not reserved for another client, and if the fence is above every fence that
         * the node has accepted for the resource. A repeated claim of the holder is granted again. A refused claim with
         * a ticket is queued and becomes a standing claim: when a release frees the lock, the node carries out the
         * claim of the first waiter. A shared claim may join shared holders unless an exclusive waiter is queued ahead
         * of it.
         */
        ACQUIRE,
        /**
         * Extends the lock to at least {@code ttl} from now if the owner holds it; never shortens it and never creates
         * it. A shared claim of the exclusive holder downgrades the lock to shared.
         */
        EXTEND,
        /**
         * Asks whether a waiter should make another attempt, and changes nothing. Refused if the lock is held or
         * reserved for another client and the ticket's entry is in the wait queue, so that the waiter will be notified.
         * Granted in all other cases.
         */
        QUERY,
        /**
         * Extends the lock, or sets it again if the resource is free and the fence is above every fence that the node
         * has accepted. Sent to a node that has lost the lock, after a majority has confirmed an extension. Never
         * replaces another owner's lock.
         */
        REPAIR,
        /**
         * Releases the lock if the owner holds it, and carries out the standing claim of the next waiter, if the claim
         * says so, or notifies it. In any case the node rejects claims and repairs of this attempt that arrive later.
         */
        RELEASE,
        /**
         * Ends the owner's hold as {@link #RELEASE} does, but the node keeps the lock for exactly {@code ttl} from now,
         * shorter or longer than before. No claim matches a retained lock, so nothing extends or releases it, and no
         * waiter has a reservation. The next waiter learns when it ends.
         */
        RETAIN
    }

    /**
     * Creates a claim.
     *
     * @throws IllegalArgumentException if the TTL is shorter than 1 ms, or if the number of followers is negative
     */
    public Claim {
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("A claim's ttl is at least 1 ms, not " + ttl);
        }
        if (followers < 0) {
            throw new IllegalArgumentException("A claim has 0 or more followers, not " + followers);
        }
    }

    /**
     * Returns an exclusive {@link Action#ACQUIRE} without followers and without a ticket.
     *
     * @throws IllegalArgumentException if the TTL is shorter than 1 ms
     */
    public static Claim acquire(String resource, Owner owner, Duration ttl, FencingToken fence) {
        return new Claim(Action.ACQUIRE, resource, owner, LockMode.EXCLUSIVE, ttl, fence, 0, null, false, false);
    }

    /** Returns how far the greatest fence of an attempt with this number of followers lies above its first fence. */
    public static long fencesFor(int followers) {
        return (long) FENCE_STEP * followers;
    }

    /**
     * Returns this claim with fences reserved for following leases.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public Claim withFollowers(int newFollowers) {
        return withFences(fence, newFollowers);
    }

    /** Returns this claim with a ticket for the wait queue, or without one if the ticket is null. */
    public Claim withTicket(@Nullable WaitTicket newTicket) {
        return Objects.equals(ticket, newTicket)
                ? this
                : new Claim(action, resource, owner, mode, ttl, fence, followers, newTicket, requeued, servesNext);
    }

    /** Returns this claim in another lock mode. */
    public Claim withMode(LockMode newMode) {
        return mode == newMode
                ? this
                : new Claim(action, resource, owner, newMode, ttl, fence, followers, ticket, requeued, servesNext);
    }

    /** Returns the name of the lock, which the key stands for. */
    public String name() {
        return ResourceName.name(resource);
    }

    /** Returns {@code true} if the claim is for a shared hold. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /** Returns the greatest fence of the attempt: that of its last possible follower. */
    public FencingToken greatestFence() {
        return fence.plus(fencesFor(followers));
    }

    /** Returns {@code true} if both claims belong to one lease, whatever they request; {@code false} for null. */
    public boolean isOfSameLease(@Nullable Claim other) {
        return other != null
                && owner.token().equals(other.owner.token())
                && fence.compareTo(other.fence) == 0
                && mode == other.mode;
    }

    /** Returns {@code true} if the lock can be handed over to another lease: it is exclusive, and fences are left. */
    public boolean hasFollower() {
        return followers > 0 && !isShared();
    }

    /**
     * Returns the claim of the lease that follows this one within the process. It has the same owner and the next
     * fence.
     *
     * @throws IllegalArgumentException if no fence is left
     */
    public Claim follower() {
        return withFences(fence.plus(FENCE_STEP), followers - 1);
    }

    /**
     * Returns the extension of this claim.
     *
     * @throws IllegalArgumentException if the TTL is shorter than 1 ms
     */
    public Claim extend(Duration newTtl) {
        return withAction(Action.EXTEND, newTtl);
    }

    /**
     * Returns the repair of this claim, for a node that has lost the lock while a majority has confirmed it.
     *
     * @param timeLeft the validity that is left, at least 1 ms
     * @param proposed a fence that the attempt has never sent to this node; it is not the fencing token of a lease
     * @throws IllegalArgumentException if less than 1 ms is left
     */
    public Claim repair(Duration timeLeft, FencingToken proposed) {
        return withAction(Action.REPAIR, timeLeft).withFences(proposed, 0).withTicket(null);
    }

    /** Returns this release, extended to the repairs of its attempt whose fences are not above the given one. */
    public Claim covering(FencingToken repaired) {
        return repaired.isAbove(greatestFence()) ? withFences(repaired, 0) : this;
    }

    /** Returns the query of a waiter that has made this claim. */
    public Claim query() {
        return withAction(Action.QUERY, ttl);
    }

    /** Returns the release of this claim, whose lease has ended. It also leaves the wait queue. */
    public Claim release() {
        return ending(false, true);
    }

    /**
     * Returns the withdrawal of this claim, a release of an attempt that was not granted. It carries out no standing
     * claim: a minority of nodes that has lost the lock of a valid lease must become free for its repair. It also
     * leaves the wait queue.
     */
    public Claim withdraw() {
        return ending(false, false);
    }

    /** Returns this release, which leaves or puts the ticket's entry in the wait queue if it is to be requeued. */
    public Claim withRequeue(boolean isRequeued) {
        return action == Action.RELEASE && requeued == isRequeued ? this : ending(isRequeued, servesNext);
    }

    /**
     * Returns the age in whole milliseconds up to which a node carries out this claim: half a second, or a quarter of
     * its TTL if that is shorter, since the validity of the lease counts from before the claim was sent.
     */
    public Duration standingAge() {
        Duration part = Durations.part(ttl, STANDING_AGES_PER_TTL);
        return Duration.ofMillis(Durations.shorter(LONGEST_STANDING_AGE, part).toMillis());
    }

    /** Returns this claim as a node carries it out when the lock becomes free: with the TTL of a standing claim. */
    public Claim standing() {
        return withAction(action, Durations.shorter(ttl, STANDING_TTL));
    }

    /**
     * Returns the release of this claim after which the node keeps the lock for this long.
     *
     * @throws IllegalArgumentException if the duration is shorter than 1 ms
     */
    public Claim retain(Duration keep) {
        return withAction(Action.RETAIN, keep).withTicket(null);
    }

    /** Returns the claim of the owner that a node stores while it retains the lock. */
    public Claim ofRetained() {
        return new Claim(action, resource, owner.retained(), mode, ttl, fence, followers, ticket, requeued, servesNext);
    }

    /** Returns {@code true} if the claim ends its attempt: releases, withdraws or retains. */
    public boolean isRelease() {
        return action == Action.RELEASE || action == Action.RETAIN;
    }

    /** Returns {@code true} if the claim {@linkplain #withdraw withdraws} an attempt that was not granted. */
    public boolean isWithdrawal() {
        return action == Action.RELEASE && !servesNext;
    }

    private Claim withAction(Action newAction, Duration newTtl) {
        return new Claim(newAction, resource, owner, mode, newTtl, fence, followers, ticket, false, false);
    }

    private Claim withFences(FencingToken newFence, int newFollowers) {
        return new Claim(action, resource, owner, mode, ttl, newFence, newFollowers, ticket, requeued, servesNext);
    }

    private Claim ending(boolean isRequeued, boolean isServingNext) {
        return new Claim(
                Action.RELEASE, resource, owner, mode, ttl, fence, followers, ticket, isRequeued, isServingNext);
    }
}
