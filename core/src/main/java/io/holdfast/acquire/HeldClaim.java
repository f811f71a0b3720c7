package io.holdfast.acquire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ResourceName;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The claim of a held lock, in few bytes: one process may hold very many locks. The owner and the fence are numbers,
 * from which {@link #claim} makes objects whenever the nodes are asked. Immutable.
 */
public final class HeldClaim implements LocalLock {

    /** The longest owner that four numbers can contain, one byte for each character. Fresh owners are shorter. */
    private static final int MAX_PACKED = 4 * Long.BYTES;

    private final String resource;
    private final LockMode mode;
    private final Duration ttl;
    private final long fence;
    private final int followers;
    private final long owner1;
    private final long owner2;
    private final long owner3;
    private final long owner4;
    /** The owner of an attached lease, if the numbers cannot contain it; otherwise null. */
    private final @Nullable Owner longOwner;

    private HeldClaim(Claim granted) {
        this.resource = granted.resource();
        this.mode = granted.mode();
        this.ttl = granted.ttl();
        this.fence = granted.fence().value();
        this.followers = granted.followers();
        String owner = granted.owner().token();
        this.owner1 = packed(owner, 0);
        this.owner2 = packed(owner, Long.BYTES);
        this.owner3 = packed(owner, 2 * Long.BYTES);
        this.owner4 = packed(owner, 3 * Long.BYTES);
        this.longOwner = owner.length() > MAX_PACKED ? granted.owner() : null;
    }

    /** Returns eight ASCII characters as a number, with zeros after the end of the text. */
    private static long packed(String text, int from) {
        long number = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            number = (number << Byte.SIZE) | (i < text.length() ? text.charAt(i) : 0);
        }
        return number;
    }

    /** Returns the claim of a lock that was granted. Its ticket is not kept, since the waiter has left the queue. */
    static HeldClaim of(Claim granted) {
        return new HeldClaim(granted);
    }

    /** Returns the claim with which the lock was acquired, as an object for requests to the nodes. */
    public Claim claim() {
        return new Claim(Claim.Action.ACQUIRE, resource, owner(), mode, ttl, fence(), followers, null);
    }

    /** Returns the name of the lock. */
    public String name() {
        return ResourceName.name(resource());
    }

    /** Returns the name of the lock. */
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
        return longOwner != null ? longOwner : new Owner(unpacked());
    }

    private String unpacked() {
        byte[] characters = ByteBuffer.allocate(MAX_PACKED)
                .putLong(owner1)
                .putLong(owner2)
                .putLong(owner3)
                .putLong(owner4)
                .array();
        int length = MAX_PACKED;
        while (characters[length - 1] == 0) {
            length--;
        }
        return new String(characters, 0, length, US_ASCII);
    }

    /** Returns this claim after a downgrade. */
    public HeldClaim shared() {
        return of(claim().withMode(LockMode.SHARED));
    }

    /** Returns the claim of the lease that follows this one within the process; see {@link Claim#follower}. */
    HeldClaim follower() {
        return of(claim().follower());
    }

    /** Returns {@code true} if both claims belong to one lease; {@code false} for null. */
    boolean isOfSameLease(@Nullable HeldClaim other) {
        return this == other || (other != null && fence == other.fence && claim().isOfSameLease(other.claim()));
    }
}
