package io.holdfast.locks;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;

/** A re-entrant lock whose owner the caller names. */
interface ReentrantOwner {

    Lease acquire(Object owner, Duration waitLimit) throws InterruptedException;

    Optional<Lease> tryAcquire(Object owner) throws InterruptedException;

    void release(Object owner);

    Optional<Lease> lease(Object owner);

    int depth(Object owner);
}
