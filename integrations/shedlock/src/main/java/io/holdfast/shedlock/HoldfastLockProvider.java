package io.holdfast.shedlock;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.spi.LockInternals;
import io.holdfast.spi.NodeWait;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.jspecify.annotations.Nullable;

/**
 * A lock provider of ShedLock whose locks a quorum of nodes holds.
 *
 * <ul>
 *   <li>The lease is at most 30 s long and is renewed while the task runs, so a crash frees the lock after a lease, not
 *       after {@code lockAtMostFor}. No {@code KeepAliveLockProvider} is needed.
 *   <li>{@code lockAtMostFor} bounds the hold. When it is over, the lock is released, and {@link #current} is no longer
 *   valid.
 *   <li>{@code lockAtLeastFor} is kept by the nodes, also if this process ends after the task. A part beyond {@code
 *       HoldfastOptions.maxLease}, by default 1 min, needs this process: the nodes keep a released lock for no longer.
 *       {@link #close} leaves the lock to the nodes for that time.
 *   <li>If too few nodes answer, a task waits 2 s for them before it fails, so that the restart of a server skips no
 *       run. While a majority lacks only nodes in quarantine, the task waits until they vote, by default 66 s after
 *       their restart.
 *   <li>Each run is recorded beside its lock, so {@code holdfast log} shows which process ran a task, and when.
 *       ShedLock does not say whether the task failed. The record of a name lasts for 30 days after its last run;
 *       {@link #withoutRecords} is for names without end.
 *   <li>Tasks that fire at the same instant on several machines run exactly once.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider, AutoCloseable {

    /** The beginning of the names of locks by default. */
    public static final String DEFAULT_PREFIX = "shedlock:";

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

    private final Holdfast holdfast;
    private final String prefix;
    private final Duration longestLease;
    private final PostponedReleases postponed;
    private final boolean records;
    private final @Nullable LockProvider other;

    /** Creates a provider whose locks have the names of the tasks after {@value #DEFAULT_PREFIX}. */
    public HoldfastLockProvider(Holdfast holdfast) {
        this(holdfast, DEFAULT_PREFIX);
    }

    /**
     * Creates a provider.
     *
     * @param prefix the beginning of the names of locks, such as {@code "shedlock:staging:"}; may be empty
     */
    public HoldfastLockProvider(Holdfast holdfast, String prefix) {
        this(
                holdfast,
                Objects.requireNonNull(prefix, "prefix is null; give a prefix, which may be empty"),
                new PostponedReleases(holdfast.longestLease()),
                true,
                null);
    }

    private HoldfastLockProvider(
            Holdfast holdfast,
            String prefix,
            PostponedReleases postponed,
            boolean records,
            @Nullable LockProvider other) {
        this.holdfast = holdfast;
        this.prefix = prefix;
        this.longestLease = Durations.shorter(LockOptions.DEFAULT.lease(), holdfast.longestLease());
        this.postponed = postponed;
        this.records = records;
        this.other = other;
    }

    /**
     * Returns a provider of the same locks that records no runs. For names that are made from data, such as {@code
     * "order:42"}: each one would leave a record on every node for 30 days, and an entry in the list of jobs.
     *
     * <p>{@link #close} of one of the two closes both.
     */
    public HoldfastLockProvider withoutRecords() {
        return new HoldfastLockProvider(holdfast, prefix, postponed, false, other);
    }

    /**
     * Returns a provider of these locks together with those of another provider, for a migration without a stop: a task
     * runs if both locks are granted, so processes that use one of the two providers exclude those that use both.
     *
     * <p>The other lock is requested last, since only this one can be released before {@code lockAtLeastFor} is over.
     * The loss of either is a loss: {@link #current} reports that of this lock, and {@code extend} that of both. To
     * unlock releases both in any case, and throws what the first failure has thrown. A {@code KeepAliveLockProvider}
     * belongs around the returned provider.
     *
     * <p>{@link #close} of one of the two closes both, but not the other provider.
     *
     * @throws IllegalStateException if this provider has another one already
     */
    public HoldfastLockProvider alongside(LockProvider other) {
        if (this.other != null) {
            throw new IllegalStateException("This provider has another one already, " + this.other
                    + "; give alongside one LockProvider that takes the locks of both");
        }
        return new HoldfastLockProvider(holdfast, prefix, postponed, records, other);
    }

    /**
     * Returns the lease of the task that runs on this thread, for its fencing token and for callbacks on a loss. Of
     * nested tasks, that of the innermost one.
     *
     * @return empty if no task of a provider of this class runs on this thread, or if its lock is not held any more
     */
    public static Optional<Lease> current() {
        return HeldLock.current();
    }

    /**
     * Takes the lock if it is free, without waiting for a holder. While a majority lacks only nodes in quarantine, the
     * call waits until they vote, by default 66 s after their restart.
     *
     * @return the lock, or empty if it is held
     * @throws LockException if too few nodes answered for 2 s, apart from that wait for a quarantine, or if the thread
     *     is interrupted; it stays interrupted. What another provider throws is thrown as it is
     * @throws IllegalArgumentException if the name is not valid for a lock of Holdfast
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration wanted) {
        Duration atMost = Duration.between(ClockProvider.now(), wanted.getLockAtMostUntil());
        if (atMost.isNegative() || atMost.isZero()) {
            return Optional.empty();
        }
        String name = prefix + wanted.getName();
        DistributedLock lock = holdfast.lock(name, options(atMost));
        Time time = LockInternals.time(lock);
        Moment begun = time.now();
        try {
            return NodeWait.of(lock).tryAcquire().flatMap(lease -> lock(wanted, lease, time, begun, atMost));
        } catch (QuorumUnreachableException e) {
            throw new LockException("The lock '" + name + "' cannot be acquired; the task does not run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException("Interrupted while '" + name + "' was requested; the task does not run", e);
        }
    }

    /** Returns the lock of a lease that was granted, unless the other provider refuses its own. */
    private Optional<SimpleLock> lock(LockConfiguration wanted, Lease lease, Time time, Moment begun, Duration atMost) {
        if (other == null) {
            return Optional.of(held(wanted, lease, time, begun, atMost));
        }
        // The wait for nodes is no part of the other lock's time.
        LockConfiguration now = new LockConfiguration(
                ClockProvider.now(), wanted.getName(), wanted.getLockAtMostFor(), wanted.getLockAtLeastFor());
        Optional<SimpleLock> granted = Optional.empty();
        try {
            granted = other.lock(now);
        } finally {
            if (granted.isEmpty()) {
                lease.release();
            }
        }
        return granted.map(both -> new JointLock(now, held(wanted, lease, time, begun, atMost), both));
    }

    private SimpleLock held(LockConfiguration wanted, Lease lease, Time time, Moment begun, Duration atMost) {
        HeldLock held = HeldLock.begin(wanted, lease, time, postponed);
        if (records) {
            held.recordStart(time.now().since(begun));
        }
        if (atMost.compareTo(SHORTEST_LEASE) < 0) {
            held.limit(atMost);
        }
        return held;
    }

    private LockOptions options(Duration atMost) {
        Duration lease = Durations.longer(SHORTEST_LEASE, Durations.shorter(atMost, longestLease));
        LockOptions options = LockOptions.builder().lease(lease).build();
        Duration limit = Durations.longer(lease, Durations.shorter(atMost, LockOptions.FOREVER));
        // A lease is lost a margin before its limit, which would end lockAtLeastFor early.
        return options.toBuilder().holdLimit(limit.plus(options.margin())).build();
    }

    /**
     * Releases the locks of tasks that have ended, which this process still holds for the part of {@code
     * lockAtLeastFor} beyond {@code HoldfastOptions.maxLease}. The nodes keep each lock for the rest of its time, at
     * most {@code maxLease}. A task that ends later leaves its lock in the same way. Blocks for one round per lock, at
     * most for its node timeout.
     *
     * <p>To be called before the {@code Holdfast} is closed, which would remove these locks from the nodes at once.
     * Spring does so for a bean that was created with the bean of the {@code Holdfast}. Does not close the {@code
     * Holdfast}. A second call has no effect.
     */
    @Override
    public void close() {
        postponed.close();
    }
}
