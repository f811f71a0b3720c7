package io.holdfast.shedlock;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.jobs.JobRun;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lock that a task holds. */
final class HeldLock extends AbstractSimpleLock {

    /**
     * The leases of the tasks of a thread, the latest first. Another thread may unlock one; a lost one is removed
     * later.
     */
    private static final ThreadLocal<Deque<Lease>> LEASES = ThreadLocal.withInitial(ConcurrentLinkedDeque::new);

    private final Lease lease;
    private final Deque<Lease> leases;
    private final Time time;
    private final PostponedReleases postponed;
    private final JobRecorder recorder;

    private HeldLock(
            LockConfiguration configuration,
            Lease lease,
            Deque<Lease> leases,
            Time time,
            PostponedReleases postponed,
            JobRecorder recorder) {
        super(configuration);
        this.lease = lease;
        this.leases = leases;
        this.time = time;
        this.postponed = postponed;
        this.recorder = recorder;
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
        Deque<Lease> leases = LEASES.get();
        leases.push(lease);
        JobRecorder recorder = JobRecorder.of(lease, JobRule.always(InstantSource.system()));
        return new HeldLock(configuration, lease, leases, time, postponed, recorder);
    }

    /**
     * Records the start of the task, and later its end, which is not recorded otherwise.
     *
     * @param waited how long the task has waited for nodes
     */
    void recordStart(Duration waited) {
        recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.TASK, lockConfiguration.getName()), waited);
    }

    /** Ends the hold after this time at the latest; returns {@code false} if it has ended before. */
    boolean limit(Duration atMost) {
        try {
            // A lease is lost a margin before its limit, which would end lockAtLeastFor early.
            lease.limit(atMost.plus(lease.lossMargin()));
            return lease.isValid();
        } catch (LeaseLostException e) {
            return false;
        }
    }

    static Optional<Lease> current() {
        Deque<Lease> leases = LEASES.get();
        leases.removeIf(lease -> !lease.isValid());
        Optional<Lease> latest = Optional.ofNullable(leases.peek());
        if (latest.isEmpty()) {
            LEASES.remove();
        }
        return latest;
    }

    @Override
    protected void doUnlock() {
        // The lease may stay valid, but its task has ended.
        recordEnd();
        Duration beyond = rest().minus(postponed.maxLease());
        if (beyond.compareTo(Duration.ZERO) > 0) {
            postponed.add(this, time, beyond);
        } else {
            release();
        }
    }

    private void recordEnd() {
        leases.remove(lease);
        // ShedLock does not say whether the task has thrown.
        recorder.ended(JobRun.Status.ENDED, "");
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
            // ShedLock refuses to unlock it after this.
            recordEnd();
            lease.release();
            return Optional.empty();
        }
        return Optional.of(new HeldLock(next, lease, leases, time, postponed, recorder));
    }
}
