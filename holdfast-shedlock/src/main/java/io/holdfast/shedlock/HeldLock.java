package io.holdfast.shedlock;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
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
    private final Duration maxLease;

    private HeldLock(LockConfiguration configuration, Lease lease, Time time, Duration maxLease) {
        super(configuration);
        this.lease = lease;
        this.time = time;
        this.maxLease = maxLease;
    }

    /**
     * Returns the lock of a lease that was granted on this thread.
     *
     * @param maxLease the longest time for which the nodes keep a released lock
     */
    static HeldLock begin(LockConfiguration configuration, Lease lease, Time time, Duration maxLease) {
        // The nodes may keep the lock for the rest of the lease, although the time of the task is over.
        lease.onLost(loss -> lease.releaseAsync());
        current();
        LEASES.get().push(lease);
        return new HeldLock(configuration, lease, time, maxLease);
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
        Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
        if (rest.isNegative() || rest.isZero()) {
            lease.release();
        } else if (rest.compareTo(maxLease) <= 0) {
            lease.release(rest);
        } else {
            time.schedule(rest.minus(maxLease), () -> lease.releaseAsync(maxLease));
        }
        current();
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration next) {
        Duration atMost = Duration.between(ClockProvider.now(), next.getLockAtMostUntil());
        if (atMost.isNegative() || !limit(atMost)) {
            lease.release();
            return Optional.empty();
        }
        return Optional.of(new HeldLock(next, lease, time, maxLease));
    }
}
