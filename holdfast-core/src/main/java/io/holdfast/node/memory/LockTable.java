package io.holdfast.node.memory;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who holds which locks of an in-memory node: one owner alone, or several a lock that is shared. */
final class LockTable {

    /** In place of an owner while a lock is held shared, so that whoever knows nothing of shares finds the lock taken. */
    static final Owner SHARED = new Owner("holdfast:shared");

    /** By resource, the owner or {@link #SHARED}; that one lasts as long as the longest share. */
    private final ExpiringMap<Owner> locks = new ExpiringMap<>();
    /** By resource and owner, the resource. */
    private final ExpiringMap<String> shares = new ExpiringMap<>();

    /** Drops whatever has expired; to be called before anything is looked at. */
    void expire(Moment now) {
        locks.expire(now);
        shares.expire(now);
    }

    void clear() {
        locks.clear();
        shares.clear();
    }

    void drop(String resource) {
        locks.remove(resource);
    }

    @Nullable
    Owner of(String resource) {
        return locks.get(resource);
    }

    boolean isFree(String resource) {
        return locks.get(resource) == null;
    }

    boolean isShared(String resource) {
        return SHARED.equals(locks.get(resource));
    }

    /** Returns the number of holders that share the lock. */
    int sharedHolders(String resource) {
        return isShared(resource) ? shares.count(resource) : 0;
    }

    /** How long the lock lasts unless it is extended; zero: it is free. */
    Duration left(String resource, Moment now) {
        return locks.left(resource, now);
    }

    /** Whether the owner has what it asks for, or more. */
    boolean has(Claim claim) {
        return isAlone(claim) || (claim.isShared() && hasShare(claim));
    }

    /** Whether others hold the lock in a way that leaves no room for this claim. */
    boolean blocks(Claim claim) {
        return !isFree(claim.resource()) && !(claim.isShared() && isShared(claim.resource()));
    }

    /** For how long they do unless they extend it. */
    Duration blockedFor(Claim claim, Moment now) {
        return blocks(claim) ? left(claim.resource(), now) : Duration.ZERO;
    }

    private boolean isAlone(Claim claim) {
        return claim.owner().equals(locks.get(claim.resource()));
    }

    private boolean hasShare(Claim claim) {
        return isShared(claim.resource()) && shares.get(share(claim)) != null;
    }

    /** Gives the lock, or a share of it, to an owner whom nobody bars. */
    void take(Claim claim, Moment now) {
        if (!claim.isShared()) {
            locks.put(claim.resource(), claim.owner(), now, claim.ttl());
            return;
        }
        if (isFree(claim.resource())) {
            shares.removeValue(claim.resource());
        }
        share(claim, claim.ttl(), now);
    }

    /** Makes what the owner has last longer; returns whether an owner who was alone shares the lock from now on. */
    boolean prolong(Claim claim, Moment now) {
        boolean opens = claim.isShared() && isAlone(claim);
        if (opens) {
            Duration left = left(claim.resource(), now);
            shares.removeValue(claim.resource());
            locks.put(claim.resource(), SHARED, now, left);
            // The holder relies on the time that its exclusive lock had left.
            share(claim, Durations.longer(claim.ttl(), left), now);
        } else if (claim.isShared()) {
            share(claim, claim.ttl(), now);
        } else {
            prolong(locks, claim.resource(), claim.owner(), claim.ttl(), now);
        }
        return opens;
    }

    /** Takes from the owner what it has; returns whether the lock has become free by that. */
    boolean giveUp(Claim claim, Moment now) {
        String resource = claim.resource();
        if (isAlone(claim)) {
            locks.remove(resource);
        } else if (claim.isShared() && hasShare(claim)) {
            shares.remove(share(claim));
            Duration longest = shares.longest(resource, now);
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

    private void share(Claim claim, Duration ttl, Moment now) {
        prolong(shares, share(claim), claim.resource(), ttl, now);
        prolong(locks, claim.resource(), SHARED, ttl, now);
    }

    private static <V> void prolong(ExpiringMap<V> keys, String key, V value, Duration ttl, Moment now) {
        if (keys.left(key, now).compareTo(ttl) < 0) {
            keys.put(key, value, now, ttl);
        }
    }

    private static String share(Claim claim) {
        return claim.resource() + "\n" + claim.owner().token();
    }
}
