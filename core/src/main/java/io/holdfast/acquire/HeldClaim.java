package io.holdfast.acquire;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ResourceName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The claim of a held lock, in few bytes: one process may hold very many locks. Immutable. */
public final class HeldClaim {

    private final String resource;
    private final LockMode mode;
    private final Duration ttl;
    private final long fence;
    private final int followers;
    private final Owner owner;

    private HeldClaim(Claim granted) {
        this.resource = granted.resource();
        this.mode = granted.mode();
        this.ttl = granted.ttl();
        this.fence = granted.fence().value();
        this.followers = granted.followers();
        this.owner = granted.owner();
    }

    /** Returns the claim of a lock that was granted. Its ticket is not kept, since the waiter has left the queue. */
    static HeldClaim of(Claim granted) {
        return new HeldClaim(granted);
    }

    /** Returns the claim with which the lock was acquired, as an object for requests to the nodes. */
    public Claim claim() {
        return new Claim(Claim.Action.ACQUIRE, resource, owner, mode, ttl, fence(), followers, null, false, false);
    }

    /** Returns the name of the lock. */
    public String name() {
        return ResourceName.name(resource());
    }

    /** Returns the key of the lock. */
    public String resource() {
        return resource;
    }

    /** Returns the fencing token of the lease. */
    public FencingToken fence() {
        return new FencingToken(fence);
    }

    /** Returns the mode of the hold. */
    public LockMode mode() {
        return mode;
    }

    /** Returns {@code true} if the lock is held in shared mode. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /** Returns the secret by which the nodes know the holder. */
    public Owner owner() {
        return owner;
    }

    /** Returns this claim after a downgrade. */
    public HeldClaim shared() {
        return of(claim().withMode(LockMode.SHARED));
    }

    /** Returns the claim of the lease that follows this one within the process; see {@link Claim#follower}. */
    HeldClaim follower() {
        return of(claim().follower());
    }

    /** Compares two claims by their keys, then by their fences. */
    public static int compare(HeldClaim one, HeldClaim other) {
        int byKey = one.resource.compareTo(other.resource);
        return byKey != 0 ? byKey : Long.compare(one.fence, other.fence);
    }

    /** Returns {@code true} if both claims belong to one lease; {@code false} for null. */
    boolean isOfSameLease(@Nullable HeldClaim other) {
        return this == other || (other != null && fence == other.fence && claim().isOfSameLease(other.claim()));
    }
}
