package io.holdfast.spring.integration;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.locks.OwnedLock;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The locks of a registry that threads hold or wait for. A lock that is not in use needs no memory. Thread-safe. */
final class LocksInUse {

    private final Holdfast holdfast;
    private final LockOptions options;
    private final Map<String, Use> uses = new ConcurrentHashMap<>();

    /**
     * A lock with the number of its uses.
     *
     * @param count one for each acquisition that is pending or not yet unlocked
     * @param ttl the time to live of the present hold
     */
    private record Use(OwnedLock lock, int count, Duration ttl) {

        @Nullable
        Use changed(int by) {
            return count + by == 0 ? null : new Use(lock, count + by, ttl);
        }
    }

    LocksInUse(Holdfast holdfast, LockOptions options) {
        this.holdfast = holdfast;
        this.options = options;
    }

    /** Returns the clocks of the client. */
    Time time(String name) {
        return LockInternals.time(holdfast.lock(name, options));
    }

    /** Begins a use of the lock, which {@link #leave} ends. */
    OwnedLock enter(String name) {
        Use use = uses.compute(name, (same, before) -> {
            Use known = before == null
                    ? new Use(OwnedLock.of(holdfast.lock(name, options)), 0, options.holdLimit())
                    : before;
            return known.changed(1);
        });
        return use.lock();
    }

    void leave(String name) {
        uses.computeIfPresent(name, (same, use) -> use.changed(-1));
    }

    /**
     * Returns the time to live of a hold for which none is given: that of the hold which the present thread has, or
     * that of the registry.
     */
    Duration ttl(String name) {
        Use use = uses.get(name);
        return use != null && use.lock().lease(Thread.currentThread()).isPresent() ? use.ttl() : options.holdLimit();
    }

    /** Changes the time to live of the hold, which the present thread has. */
    void setTtl(String name, Duration ttl) {
        uses.computeIfPresent(name, (same, use) -> new Use(use.lock(), use.count(), ttl));
    }

    /** Returns {@code true} if a thread holds the lock or waits for it. */
    boolean has(String name) {
        return uses.containsKey(name);
    }

    Optional<OwnedLock> get(String name) {
        return Optional.ofNullable(uses.get(name)).map(Use::lock);
    }

    /** Returns the lease of the present thread. */
    Optional<Lease> lease(String name) {
        return get(name).flatMap(lock -> lock.lease(Thread.currentThread()));
    }

    /**
     * Extends a lease, which then ends after this time. An extension is refused beyond the previous limit, which is
     * therefore moved first.
     *
     * @return {@code false} if too few nodes confirmed the extension
     * @throws LeaseLostException if the lease is lost
     */
    boolean renew(Lease lease, Duration length, Duration ttl) {
        Duration limit = HoldLimits.after(ttl, lease.lossMargin(), options);
        lease.limit(limit.plus(length));
        boolean extended = lease.extend(length);
        lease.limit(limit);
        return extended;
    }
}
