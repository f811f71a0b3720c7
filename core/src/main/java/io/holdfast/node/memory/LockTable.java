package io.holdfast.node.memory;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The locks of an in-memory node and their holders: one exclusive owner, or several shared ones. Not thread-safe. */
final class LockTable {

    /** The owner of a shared lock, so that older clients, which do not know shared locks, find it held. */
    static final Owner SHARED = new Owner(Owner.SHARED);

    /** By resource, the exclusive owner or {@link #SHARED}, which lasts as long as the longest shared hold. */
    private final ExpiringMap<Owner> locks = new ExpiringMap<>();
    /** By resource and owner, the resource. */
    private final ExpiringMap<String> sharedHolds = new ExpiringMap<>();

    /** Removes expired locks; to be called before any other method. */
    void expire(Moment now) {
        locks.expire(now);
        sharedHolds.expire(now);
    }

    void clear() {
        locks.clear();
        sharedHolds.clear();
    }

    void drop(String resource) {
        locks.remove(resource);
    }

    @Nullable
    Owner of(String resource) {
        return locks.get(resource);
    }

    /** Returns the resources that are locked, in no order. */
    List<String> resources() {
        return locks.keys();
    }

    boolean isFree(String resource) {
        return locks.get(resource) == null;
    }

    boolean isShared(String resource) {
        return SHARED.equals(locks.get(resource));
    }

    /** Returns the number of holders that share the lock. */
    int sharedHolders(String resource) {
        return isShared(resource) ? sharedHolds.count(resource) : 0;
    }

    /** Returns how long the lock lasts unless it is extended; zero: it is free. */
    Duration left(String resource, Moment now) {
        return locks.left(resource, now);
    }

    /** Returns {@code true} if the claim's owner holds the lock in the requested mode, or exclusively. */
    boolean has(Claim claim) {
        return holdsExclusively(claim) || (claim.isShared() && holdsShared(claim));
    }

    /** Returns {@code true} if the present holders exclude this claim. */
    boolean blocks(Claim claim) {
        return !isFree(claim.resource()) && !(claim.isShared() && isShared(claim.resource()));
    }

    /** Returns how long the present holders exclude this claim unless they extend the lock; zero: they do not. */
    Duration blockedFor(Claim claim, Moment now) {
        return blocks(claim) ? left(claim.resource(), now) : Duration.ZERO;
    }

    private boolean holdsExclusively(Claim claim) {
        return claim.owner().equals(locks.get(claim.resource()));
    }

    private boolean holdsShared(Claim claim) {
        return isShared(claim.resource()) && sharedHolds.get(sharedKey(claim)) != null;
    }

    /** Makes the claim's owner a holder; no other holder may block it. */
    void take(Claim claim, Moment now) {
        if (!claim.isShared()) {
            locks.put(claim.resource(), claim.owner(), now, claim.ttl());
            return;
        }
        if (isFree(claim.resource())) {
            sharedHolds.removeValue(claim.resource());
        }
        extendShared(claim, claim.ttl(), now);
    }

    /** Extends the owner's hold; returns {@code true} if this has downgraded an exclusive hold to shared. */
    boolean extend(Claim claim, Moment now) {
        boolean downgrades = claim.isShared() && holdsExclusively(claim);
        if (downgrades) {
            Duration left = left(claim.resource(), now);
            sharedHolds.removeValue(claim.resource());
            locks.put(claim.resource(), SHARED, now, left);
            // The holder relies on the time that its exclusive lock had left.
            extendShared(claim, Durations.longer(claim.ttl(), left), now);
        } else if (claim.isShared()) {
            extendShared(claim, claim.ttl(), now);
        } else {
            extend(locks, claim.resource(), claim.owner(), claim.ttl(), now);
        }
        return downgrades;
    }

    /**
     * Ends the owner's hold, and retains the lock if the claim says so; returns {@code true} if this has freed the
     * lock.
     */
    boolean release(Claim claim, Moment now) {
        String resource = claim.resource();
        if (claim.action() == Claim.Action.RETAIN) {
            retain(claim, now);
            return false;
        } else if (holdsExclusively(claim)) {
            locks.remove(resource);
        } else if (claim.isShared() && holdsShared(claim)) {
            sharedHolds.remove(sharedKey(claim));
            Duration longest = sharedHolds.longest(resource, now);
            if (longest.isZero()) {
                locks.remove(resource);
            } else {
                locks.put(resource, SHARED, now, longest);
            }
        } else {
            return false;
        }
        return isFree(resource);
    }

    private void retain(Claim claim, Moment now) {
        String resource = claim.resource();
        if (!has(claim)) {
            return;
        } else if (!claim.isShared()) {
            locks.put(resource, claim.owner().retained(), now, claim.ttl());
            return;
        }
        if (!isShared(resource)) {
            sharedHolds.removeValue(resource);
        }
        sharedHolds.remove(sharedKey(claim));
        extend(sharedHolds, sharedKey(claim) + Owner.RETAINED, resource, claim.ttl(), now);
        locks.put(resource, SHARED, now, sharedHolds.longest(resource, now));
    }

    /** Returns {@code true} if the lock is held by no client any more, and retained after a release. */
    boolean isRetained(String resource) {
        Owner owner = locks.get(resource);
        return isShared(resource)
                ? sharedHolds.keysOf(resource).allMatch(key -> key.endsWith(Owner.RETAINED))
                : owner != null && owner.isRetained();
    }

    /** Returns the ids of the clients that hold the lock. */
    List<String> clients(String resource) {
        Owner owner = locks.get(resource);
        Stream<Owner> owners = isShared(resource)
                ? sharedHolds.keysOf(resource).map(key -> new Owner(key.substring(key.indexOf('\n') + 1)))
                : Stream.ofNullable(owner);
        return owners.map(Owner::client).filter(id -> !id.isEmpty()).toList();
    }

    private void extendShared(Claim claim, Duration ttl, Moment now) {
        extend(sharedHolds, sharedKey(claim), claim.resource(), ttl, now);
        extend(locks, claim.resource(), SHARED, ttl, now);
    }

    private static <V> void extend(ExpiringMap<V> keys, String key, V value, Duration ttl, Moment now) {
        if (keys.left(key, now).compareTo(ttl) < 0) {
            keys.put(key, value, now, ttl);
        }
    }

    private static String sharedKey(Claim claim) {
        return claim.resource() + "\n" + claim.owner().token();
    }
}
