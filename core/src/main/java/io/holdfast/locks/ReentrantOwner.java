package io.holdfast.locks;

import io.holdfast.Lease;
import io.holdfast.spi.OuterLock;
import java.time.Duration;
import java.util.Optional;

/** A re-entrant lock whose owner the caller names; see {@link OwnedLock} for the contract of each method. */
interface ReentrantOwner {

    /**
     * Waits for the lock at most this long, unless the owner holds it. Returns {@code false} if another holder had it.
     */
    boolean enter(Object owner, Duration waitLimit) throws InterruptedException;

    /** Reduces the depth of the owner by one, and releases the lock when the depth is zero. */
    void release(Object owner);

    /** Returns the lease of an owner that holds the lock, even if that lease is lost. */
    Optional<Lease> lease(Object owner);

    /** Returns the number of releases by the owner after which the lock is released. */
    int depth(Object owner);

    /** Returns this lock, which is then held only together with the outer one. Its owner is the present thread. */
    default ReentrantOwner within(OuterLock outer) {
        ReentrantOwner inner = this;
        return new ReentrantOwner() {

            @Override
            public boolean enter(Object owner, Duration waitLimit) throws InterruptedException {
                return outer.enter(waitLimit, rest -> inner.enter(owner, rest));
            }

            @Override
            public void release(Object owner) {
                if (inner.depth(owner) == 0) {
                    // Throws; the thread may hold the outer lock by itself.
                    inner.release(owner);
                }
                outer.leave(() -> inner.release(owner));
            }

            @Override
            public Optional<Lease> lease(Object owner) {
                return inner.lease(owner);
            }

            @Override
            public int depth(Object owner) {
                return inner.depth(owner);
            }
        };
    }

    /** Returns the owners of this lock. */
    static ReentrantOwner of(OwnedLock lock) {
        return new ReentrantOwner() {

            @Override
            public boolean enter(Object owner, Duration waitLimit) throws InterruptedException {
                return lock.by(owner).tryAcquire(waitLimit).isPresent();
            }

            @Override
            public void release(Object owner) {
                lock.release(owner);
            }

            @Override
            public Optional<Lease> lease(Object owner) {
                return lock.lease(owner);
            }

            @Override
            public int depth(Object owner) {
                return lock.depth(owner);
            }
        };
    }
}
