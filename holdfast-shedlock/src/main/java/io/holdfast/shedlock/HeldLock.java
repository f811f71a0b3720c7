package io.holdfast.shedlock;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lock that a task holds. */
final class HeldLock extends AbstractSimpleLock {

    /** The locks that were acquired on a thread, the latest first. Those that end on another thread are removed later. */
    private static final ThreadLocal<Deque<Lease>> LEASES = ThreadLocal.withInitial(ArrayDeque::new);

    private final Lease lease;
    private final Time time;
    private final PostponedReleases postponed;

    private HeldLock(LockConfiguration configuration, Lease lease, Time time, PostponedReleases postponed) {
        super(configuration);
        this.lease = lease;
        this.time = time;
        this.postponed = postponed;
    }

    /**
     * Returns the lock of a lease that was granted on this thread.
     *
     * @param postponed receives the lock if it has to stay held after the task for longer than the nodes retain it
     */
    static HeldLock begin(LockConfiguration configuration, Lease lease, Time time, PostponedReleases postponed) {
        // The nodes may keep the lock for the rest of the lease, although the time of the task is over.
        lease.onLost(loss -> lease.releaseAsync());
        current();
        LEASES.get().push(lease);
        return new HeldLock(configuration, lease, time, postponed);
    }

    /** Ends the hold after this time at the latest; returns {@code false} if it has ended before. */
    boolean limit(Duration atMost) {
        try {
            lease.limit(atMost);
            return lease.isValid();
        } catch (LeaseLostException e) {
            return false;
        }
    }

    static Optional<Lease> current() {
        Deque<Lease> leases = LEASES.get();
        leases.removeIf(lease -> !lease.isValid());
        if (leases.isEmpty()) {
            LEASES.remove();
            return Optional.empty();
        }
        return Optional.of(leases.peek());
    }

    @Override
    protected void doUnlock() {
        Duration beyond = rest().minus(postponed.maxLease());
        if (beyond.compareTo(Duration.ZERO) > 0) {
            postponed.add(this, time, beyond);
        } else {
            release();
        }
        current();
    }

    /** Releases the lock; the nodes retain it for the rest of {@code lockAtLeastFor}, as far as they can. */
    void release() {
        lease.release(retention());
    }

    /** Releases the lock as {@link #release} does, without blocking. */
    void releaseAsync() {
        lease.releaseAsync(retention());
    }

    private Duration retention() {
        return Durations.longer(Duration.ZERO, Durations.shorter(rest(), postponed.maxLease()));
    }

    private Duration rest() {
        return Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration next) {
        Duration atMost = Duration.between(ClockProvider.now(), next.getLockAtMostUntil());
        if (atMost.isNegative() || !limit(atMost)) {
            lease.release();
            return Optional.empty();
        }
        return Optional.of(new HeldLock(next, lease, time, postponed));
    }
}
