package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.node.ResourceName;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An election among processes: the candidate that holds the lock leads. A candidate takes part until the election is
 * closed. It is notified when it is elected, when it resigns, and when it is deposed because its lease was lost; after
 * each term it takes part again.
 *
 * <p>A leader whose process was stopped for a while may be notified too late that another candidate leads. An action
 * that two leaders must not both perform needs the fencing token of the lease, checked by the resource that it changes.
 *
 * <p>Memory effects: what a leader did before its {@link Candidate#resigned} returned <i>happens before</i> the next
 * leader's {@link Candidate#elected}, if both are threads of one Java process.
 *
 * <p>Thread-safe.
 */
public final class LeaderElection implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());
    private static final int CHECKS_PER_LEASE = 3;

    private final DistributedLock lock;
    private final Time time;
    private final LockOptions options;
    private final Candidate candidate;
    private final GrowingDelay delay = new GrowingDelay();

    private @Nullable CompletableFuture<Lease> attempt;
    private @Nullable Leadership leadership;
    private boolean closed;

    /**
     * A process that wants to lead. For each call of {@link #elected} there is exactly one call of {@link #resigned} or
     * {@link #deposed}, even if {@code elected} throws. That call may come while {@code elected} is still running, and
     * even while it begins: work within {@code elected} checks {@link Lease#isValid()} from time to time.
     *
     * <p>Callbacks may block. No lock of the election is held while they run.
     */
    public interface Candidate {

        /**
         * Begins a term: the candidate leads until it is deposed or {@linkplain LeaderElection#resign resigns}, or the
         * election is closed, also after this method has returned. Runs on a thread of its own. Anything thrown from it
         * is logged, and is a resignation, as is closing or detaching the lease in this method; the candidate then
         * takes part again after a delay. If the lease is closed or detached later, the candidate resigns within a
         * third of the lease. The next term begins after this method has returned.
         *
         * @param lease the lease of the term, with its fencing token
         */
        void elected(Lease lease);

        /**
         * Ends a term by the candidate's own decision: by {@link LeaderElection#resign}, by {@link
         * LeaderElection#close}, because {@link #elected} threw, or has closed its lease. Runs on the thread that
         * made the decision, before the lock is released: no other candidate is elected before this method has
         * returned, as long as the lease can be renewed. So the candidate can finish its work here. Anything thrown
         * from it is logged; the lock is released all the same.
         *
         * @param lease the lease of the term that ends
         */
        default void resigned(Lease lease) {}

        /**
         * Ends a term because its lease was lost. The work of the leader must end at once, since another candidate may
         * be elected. Runs as {@link Lease#onLost} does, on the callback executor if there is one. Anything thrown from
         * it is logged. The candidate takes part again after this method and {@link #elected} have returned.
         */
        default void deposed(Loss loss) {}
    }

    private LeaderElection(DistributedLock lock, Time time, Candidate candidate) {
        this.lock = lock;
        this.time = time;
        this.options = lock.options().toBuilder().waitLimit(LockOptions.FOREVER).build();
        this.candidate = candidate;
    }

    /**
     * Starts to take part in an election, until it is closed. Waits for the lock without limit, whatever its {@link
     * LockOptions#waitLimit}, and begins again if the wait fails. Does not block, and never calls the candidate on this
     * thread. When the {@code Holdfast} is closed, the election ends: a leader is deposed, and no waiter is notified.
     *
     * @param lock the lock that the leader holds; its other options apply to the leader's lease
     * @throws IllegalArgumentException if the lock is shared
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public static LeaderElection start(DistributedLock lock, Candidate candidate) {
        Objects.requireNonNull(candidate, "candidate is null; give a candidate");
        if (lock.isShared()) {
            throw new IllegalArgumentException(
                    "Several candidates would hold the shared lock '" + lock.resource() + "'; give the lock itself");
        }
        LeaderElection election =
                new LeaderElection(LockInternals.onLibraryThreads(lock), LockInternals.time(lock), candidate);
        election.follow(LeaseChecks.unlessClosed(election.lock.acquireAsync(election.options)));
        return election;
    }

    private void takePart() {
        if (isClosed()) {
            return;
        }
        follow(LockInternals.acquireAsync(lock, options));
    }

    /** Registers outside of the monitor: an attempt that has been granted by now would be settled on this thread. */
    private void follow(CompletableFuture<Lease> next) {
        if (!keep(next)) {
            next.cancel(true);
        }
        next.whenComplete((lease, failure) -> execute(() -> settle(lease, failure)));
    }

    private synchronized boolean keep(CompletableFuture<Lease> next) {
        attempt = next;
        return !closed;
    }

    private void settle(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            lead(new Leadership(lease));
        } else if (!isClosed() && !(failure instanceof IllegalStateException)) {
            time.schedule(delay.afterFailure(), this::takePart);
            String again = "The election for '" + lock.resource() + "' has failed; it is tried again";
            if (failure instanceof HoldfastException unreachable) {
                LOG.log(System.Logger.Level.WARNING, ResourceName.printable(again + ": " + unreachable.getMessage()));
            } else {
                log(again, failure);
            }
        }
    }

    private void lead(Leadership next) {
        if (!begin(next)) {
            next.lease.releaseAsync();
            return;
        }
        next.lease.onLost(loss -> depose(next, loss));
        Throwable failure = announce(next) ? thrownBy(() -> candidate.elected(next.lease)) : null;
        if (failure == null && next.lease.state() != LeaseState.RELEASED) {
            delay.succeeded();
            next.over.thenRun(this::takePart);
            time.repeat(Durations.part(options.lease(), CHECKS_PER_LEASE), () -> watch(next));
            return;
        }
        resign(next);
        // A candidate that fails, or releases its lease, would otherwise be elected again and again without a pause.
        next.over.thenRun(
                () -> time.schedule(failure == null ? GrowingDelay.FIRST : delay.afterFailure(), this::takePart));
        if (failure != null) {
            log("The candidate for '" + lock.resource() + "' failed when it was elected, and resigns", failure);
        }
    }

    /** Resigns if the candidate has closed or detached its lease since it was elected, of which no callback tells. */
    private boolean watch(Leadership present) {
        boolean released = present.lease.state() == LeaseState.RELEASED;
        if (released) {
            execute(() -> resign(present));
        }
        return !released && !present.over.isDone();
    }

    private void depose(Leadership lost, Loss loss) {
        if (end(lost)) {
            Throwable failure = lost.announced ? thrownBy(() -> candidate.deposed(loss)) : null;
            lost.over.complete(null);
            if (failure != null) {
                log("The candidate for '" + lock.resource() + "' failed when it was deposed", failure);
            }
        }
    }

    /** Notifies the candidate while the lock is still held, so that its work can end before another candidate leads. */
    private void resign(Leadership present) {
        if (!end(present)) {
            return;
        }
        Throwable failure = present.announced ? thrownBy(() -> candidate.resigned(present.lease)) : null;
        try {
            present.lease.close();
        } finally {
            present.over.complete(null);
        }
        if (failure != null) {
            log("The candidate for '" + lock.resource() + "' failed when it resigned", failure);
        }
    }

    private synchronized boolean begin(Leadership next) {
        if (!closed) {
            leadership = next;
        }
        return !closed;
    }

    /** Returns false if another thread has ended the term since: the candidate would never be notified of the end. */
    private synchronized boolean announce(Leadership begun) {
        begun.announced = begun.equals(leadership);
        return begun.announced;
    }

    /** Ends a term. Returns false if it has been ended before: the candidate is notified once. */
    private synchronized boolean end(Leadership ended) {
        boolean present = ended.equals(leadership);
        if (present) {
            leadership = null;
        }
        return present;
    }

    private static @Nullable Throwable thrownBy(Runnable call) {
        try {
            call.run();
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private static void log(String message, @Nullable Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, ResourceName.printable(message), failure);
    }

    /** Runs the task on a thread of its own; while none can be started, tries again. */
    private void execute(Runnable task) {
        try {
            time.execute(task);
        } catch (RuntimeException | Error noThread) {
            time.schedule(GrowingDelay.FIRST, () -> execute(task));
        }
    }

    /**
     * Returns the lease of the present term; empty without one, also while this candidate resigns. No round trip.
     */
    public synchronized Optional<Lease> leadership() {
        return Optional.ofNullable(leadership).map(present -> present.lease).filter(Lease::isValid);
    }

    /** Returns {@code true} if this candidate leads now: its term has a valid lease. No round trip. */
    public boolean isLeader() {
        return leadership().isPresent();
    }

    /**
     * Ends the present term and takes part again, queued behind the other candidates. Calls {@link Candidate#resigned}
     * on this thread, then releases the lock, and waits for the nodes as {@link Lease#release()} does. Has no effect if
     * this candidate does not lead, or if another thread is ending the term; it does not wait for that thread.
     */
    public void resign() {
        Leadership present;
        synchronized (this) {
            present = leadership;
        }
        if (present != null) {
            resign(present);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Ends the election for this candidate. A leader {@linkplain #resign resigns} first. A second call has no effect.
     */
    @Override
    public void close() {
        CompletableFuture<Lease> last = withdraw();
        if (last != null) {
            last.cancel(true);
        }
        resign();
    }

    private synchronized @Nullable CompletableFuture<Lease> withdraw() {
        closed = true;
        return attempt;
    }

    @Override
    public String toString() {
        return "LeaderElection[" + lock.resource() + "]";
    }
}
