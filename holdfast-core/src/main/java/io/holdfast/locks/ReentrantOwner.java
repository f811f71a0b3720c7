package io.holdfast.locks;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;

/** A re-entrant lock whose owner the caller names; see {@link OwnedLock} for the contract of each method. */
interface ReentrantOwner {

    /** Waits for the lock at most this long, unless the owner holds it. */
    Lease acquire(Object owner, Duration waitLimit) throws InterruptedException;

    /** Waits for the lock at most this long, unless the owner holds it; empty if another holder had it. */
    Optional<Lease> tryAcquire(Object owner, Duration waitLimit) throws InterruptedException;

    /** Reduces the depth of the owner by one, and releases the lock when the depth is zero. */
    void release(Object owner);

    /** Returns the lease of an owner that holds the lock, even if that lease is lost. */
    Optional<Lease> lease(Object owner);

    /** Returns the number of releases by the owner after which the lock is released. */
    int depth(Object owner);
}
