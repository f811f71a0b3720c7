package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.Loss;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One of many processes leads: the one that holds the lock. A candidate stands until the election is closed: it is called when it is
 * elected, and when it is deposed since its lease was lost; then it stands again. Thread-safe.
 *
 * <p>A leader that was stopped for a while may learn too late that another leads. What must not be done by two needs the lease's fencing
 * token, checked by whatever it changes.
 */
public final class LeaderElection implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());

    /** The delay after the first failure in a row; doubled after each further one. */
    private static final Duration RETRY = Duration.ofMillis(100);

    /** So many times the delay is doubled: up to 6.4 s. */
    private static final int MAX_DOUBLINGS = 6;

    private final DistributedLock lock;
    private final Time time;
    private final LockOptions options;
    private final Candidate candidate;
    private @Nullable CompletableFuture<Lease> attempt;
    private @Nullable Leadership leadership;
    private int failures;
    private boolean closed;

    /** One term of office, from the grant of the lock on. */
    private static final class Leadership {

        private final Lease lease;
        /** Completes when it has ended, and {@link Candidate#deposed} has returned if that had to be called. */
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        /** Whether {@link Candidate#elected} has been, or is about to be, called. */
        private boolean announced;

        private Leadership(Lease lease) {
            this.lease = lease;
        }
    }

    /** A process that wants to lead. Both methods are called on threads of their own and may take their time. */
    public interface Candidate {

        /**
         * It leads, until it is deposed, {@linkplain LeaderElection#resign resigns} or the election is closed; also when this
         * has returned. Anything thrown from it is a resignation, and is logged. It is not called again before it has returned.
         *
         * <p>A loss, a resignation and a closing by other threads may come just while this begins. A candidate that goes on for long looks at
         * the state of the lease from time to time.
         *
         * @param lease how long it leads, and the fencing token of that
         */
        void elected(Lease lease);

        /**
         * It leads no longer; called also while {@link #elected} is still running, which should come to its end. Only when both have
         * returned does the candidate stand again. Anything thrown from it is logged.
         */
        default void deposed(Loss loss) {}
    }

    private LeaderElection(DistributedLock lock, Time time, Candidate candidate) {
        this.lock = lock;
        this.time = time;
        this.options = lock.options().toBuilder()
                .waitLimit(LockOptions.FOREVER)
                .unreachableLimit(LockOptions.FOREVER)
                .build();
        this.candidate = candidate;
    }

    /**
     * Stands for election, for as long as it takes: the limits of the lock's options for waiting do not count. Does not block, and never
     * calls the candidate on this thread.
     */
    public static LeaderElection start(DistributedLock lock, Candidate candidate) {
        LeaderElection election = new LeaderElection(lock, lock.time(), candidate);
        election.follow(election.lock.acquireAsync(election.options));
        return election;
    }

    private void stand() {
        if (isClosed()) {
            return;
        }
        CompletableFuture<Lease> next;
        try {
            next = lock.acquireAsync(options);
        } catch (RuntimeException | Error failure) {
            next = CompletableFuture.failedFuture(failure);
        }
        follow(next);
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
            time.schedule(delayAfterFailure(), this::stand);
            log("The election for '" + lock.resource() + "' has failed; it is tried again", failure);
        }
    }

    private void lead(Leadership next) {
        if (!begin(next)) {
            next.lease.releaseAsync();
            return;
        }
        next.lease.onLost(loss -> depose(next, loss));
        Throwable failure = announce(next) ? thrownBy(() -> candidate.elected(next.lease)) : null;
        if (failure == null) {
            succeeded();
            next.over.thenRun(this::stand);
        } else {
            resign(next);
            next.over.thenRun(() -> time.schedule(delayAfterFailure(), this::stand));
            log("The candidate for '" + lock.resource() + "' failed when it was elected, and resigns", failure);
        }
    }

    private void depose(Leadership lost, Loss loss) {
        if (end(lost)) {
            Throwable failure = isAnnounced(lost) ? thrownBy(() -> candidate.deposed(loss)) : null;
            lost.over.complete(null);
            if (failure != null) {
                log("The candidate for '" + lock.resource() + "' failed when it was deposed", failure);
            }
        }
    }

    private synchronized boolean begin(Leadership next) {
        if (!closed) {
            leadership = next;
        }
        return !closed;
    }

    /** Returns false if another thread has ended it since: the candidate would never learn that it does not lead. */
    private synchronized boolean announce(Leadership begun) {
        begun.announced = begun.equals(leadership);
        return begun.announced;
    }

    private synchronized boolean isAnnounced(Leadership ended) {
        return ended.announced;
    }

    /** Whether it was the present one, which it is no longer. */
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
        LOG.log(System.Logger.Level.ERROR, message, failure);
    }

    private synchronized void succeeded() {
        failures = 0;
    }

    /** A candidate that fails at once would otherwise be elected again and again without a pause. */
    private synchronized Duration delayAfterFailure() {
        Duration delay = RETRY.multipliedBy(1L << failures);
        failures = Math.min(failures + 1, MAX_DOUBLINGS);
        return delay;
    }

    /** Runs the task on a thread of its own; while none can be started, tries again. */
    private void execute(Runnable task) {
        try {
            lock.callbackExecutor().execute(task);
        } catch (RuntimeException | Error noThread) {
            time.schedule(RETRY, () -> execute(task));
        }
    }

    /** The lease of the present leadership; empty if another leads, or nobody. */
    public synchronized Optional<Lease> leadership() {
        return Optional.ofNullable(leadership)
                .map(present -> present.lease)
                .filter(lease -> lease.state().isValid());
    }

    /** Gives the leadership up, if there is any, and stands again, behind those who wait. */
    public void resign() {
        Leadership present = present();
        if (present != null) {
            resign(present);
        }
    }

    private void resign(Leadership present) {
        if (end(present)) {
            try {
                present.lease.close();
            } finally {
                present.over.complete(null);
            }
        }
    }

    private synchronized @Nullable Leadership present() {
        return leadership;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Gives the leadership up and stands no more. Nobody is called; has no effect the second time. */
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
