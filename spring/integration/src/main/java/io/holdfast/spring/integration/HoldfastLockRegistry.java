package io.holdfast.spring.integration;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A registry of locks that a quorum of nodes holds. The locks are re-entrant and owned by threads; those of two
 * registries with the same key exclude each other, as threads of two processes do.
 *
 * <ul>
 *   <li>A lock is renewed until it is unlocked. A time to live, given to {@code lock} or {@code tryLock}, bounds the
 *       hold instead; a re-entry begins it again.
 *   <li>{@code unlock} throws {@link java.util.ConcurrentModificationException} if the lock was lost while it was held,
 *       and {@link IllegalStateException} if the thread does not own the lock.
 *   <li>An acquisition throws {@link org.springframework.dao.CannotAcquireLockException} if too few nodes answer, or if
 *       the thread held the lock and has lost it; {@code unlock} then makes it usable again. Each method waits for
 *       nodes as long as for a holder: {@code lock} without limit.
 *   <li>Waiters are notified in order; nothing is polled. {@code setRenewalTaskScheduler} has no effect, since renewal
 *   needs none.
 * </ul>
 *
 * <p>Thread-safe. The registry does not close the {@code Holdfast}.
 */
public final class HoldfastLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    /** An object that is dropped costs nothing but its identity: the state of a lock in use is elsewhere. */
    private static final int MOST_OBJECTS = 100_000;

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

    private final String registryKey;
    private final LockOptions options;
    private final LocksInUse inUse;
    private final @Nullable OtherLocks other;
    private final Map<String, RegistryLock> objects = new LinkedHashMap<>(16, 0.75F, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RegistryLock> eldest) {
            return size() > MOST_OBJECTS;
        }
    };

    /**
     * Creates a registry with the default options.
     *
     * @param registryKey the beginning of the names of locks, which are {@code registryKey:key}
     */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey) {
        this(holdfast, registryKey, LockOptions.DEFAULT);
    }

    /**
     * Creates a registry.
     *
     * @param registryKey the beginning of the names of locks, which are {@code registryKey:key}
     * @param options of all locks. The methods of a lock say themselves how long they wait; the hold limit is the time
     *     to live where none is given
     */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey, LockOptions options) {
        this(
                Objects.requireNonNull(registryKey, "registryKey is null; give a registryKey"),
                options,
                new LocksInUse(holdfast, options),
                null);
    }

    private HoldfastLockRegistry(
            String registryKey, LockOptions options, LocksInUse inUse, @Nullable OtherLocks other) {
        this.registryKey = registryKey;
        this.options = options;
        this.inUse = inUse;
        this.other = other;
    }

    /**
     * Returns a registry of these locks together with those of another registry, for a migration without a stop:
     * processes that use one of the two registries exclude those that use both. The other lock is locked first and
     * unlocked last, as often as this one, and has the same time to live.
     *
     * <p>The time of {@code tryLock} is for both. The loss of either is a loss: {@code unlock} unlocks both in any
     * case, and throws what the first failure has thrown. {@link #lease} is that of this lock.
     *
     * <p>Use the returned registry instead of this one; it has the same locks.
     *
     * @param other if it uses the same server, it needs another key
     * @throws IllegalStateException if this registry has another one already
     */
    public HoldfastLockRegistry alongside(LockRegistry<?> other) {
        if (this.other != null) {
            throw new IllegalStateException(
                    "This registry has another one already; give alongside one registry with the locks of both");
        }
        return new HoldfastLockRegistry(registryKey, options, inUse, new OtherLocks(other));
    }

    /**
     * Returns the lock of a key: the same object as before while it is in use.
     *
     * @param lockKey a string
     * @throws IllegalArgumentException if the key is no string
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        String key = key(lockKey);
        synchronized (objects) {
            return objects.computeIfAbsent(key, first -> new RegistryLock(inUse, other, first, name(first), options));
        }
    }

    private static String key(@Nullable Object lockKey) {
        if (lockKey instanceof String key) {
            return key;
        }
        throw new IllegalArgumentException("The key of a lock is a string, not "
                + (lockKey == null ? "null" : "a " + lockKey.getClass().getName())
                + "; convert it to one that is the same in all processes");
    }

    private String name(String key) {
        return registryKey + ":" + key;
    }

    /**
     * Returns the lease by which the present thread owns a lock, with its fencing token; empty if it does not own the
     * lock.
     *
     * @throws IllegalArgumentException if the key is no string
     */
    public Optional<Lease> lease(Object lockKey) {
        return inUse.lease(name(key(lockKey)));
    }

    /**
     * Forgets the objects of locks that no thread holds or waits for. Their memory is all that they need, so calling
     * this is optional.
     *
     * @param age the least time in milliseconds since a thread acquired the lock or obtained it for the first time
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        long now = System.nanoTime();
        long ageNanos = TimeUnit.MILLISECONDS.toNanos(age);
        synchronized (objects) {
            objects.values().removeIf(lock -> lock.isOlderThan(ageNanos, now) && !inUse.has(lock.name()));
        }
        if (other != null) {
            other.expireUnusedOlderThan(age);
        }
    }

    /**
     * Extends the lock of the present thread, and begins its time to live again if it has one.
     *
     * @throws IllegalStateException if the thread does not own the lock, has lost it, or if too few nodes confirmed the
     *     extension
     */
    @Override
    public void renewLock(Object lockKey) {
        renew(key(lockKey), null);
    }

    /**
     * Extends the lock of the present thread, which ends after this time unless it is unlocked or renewed before. The
     * time may be longer or shorter than before.
     *
     * @param ttl at least 10 ms
     * @throws IllegalArgumentException if the time is shorter; the lock stays as it was
     * @throws IllegalStateException if the thread does not own the lock, has lost it, or if too few nodes confirmed the
     *     extension
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        renew(key(lockKey), ttl);
    }

    private void renew(String key, @Nullable Duration ttl) {
        String name = name(key);
        Lease lease = inUse.lease(name)
                .filter(Lease::isValid)
                .orElseThrow(() -> new IllegalStateException(
                        "Could not renew mutex at " + name + ": this thread does not hold it"));
        Duration limit = Durations.shorter(LockOptions.FOREVER, ttl == null ? inUse.ttl(name) : ttl);
        requireUsable(limit);
        if (other != null) {
            other.renew(key, ttl);
        }
        try {
            if (!inUse.renew(lease, Durations.shorter(options.lease(), limit), limit)) {
                throw new IllegalStateException(
                        "Could not renew mutex at " + name + ": too few nodes confirmed it; it may be repeated");
            }
            inUse.setTtl(name, limit);
        } catch (LeaseLostException lost) {
            throw new IllegalStateException(
                    "Could not renew mutex at " + name + ": this thread has lost the lock; stop its work", lost);
        }
    }

    private static void requireUsable(Duration ttl) {
        if (ttl.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("ttl " + ttl + " is too short to renew a lock; give at least "
                    + SHORTEST_LEASE + ", or unlock the lock");
        }
    }

    /** Returns {@code true} if no thread holds the lock or waits for it. */
    boolean isUnused(String key) {
        return !inUse.has(name(key));
    }

    /** Returns the key of the registry. */
    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + registryKey + "]";
    }
}
