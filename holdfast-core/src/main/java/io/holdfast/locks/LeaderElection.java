package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.event.Loss;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One of many processes leads: whoever holds the lock. A candidate stands until the election is closed: it is called when it is
 * elected, and when it is deposed since its lease was lost; then it stands again. Thread-safe.
 *
 * <p>A leader that was stopped for a while may learn too late that another leads. What must not be done by two needs the lease's fencing
 * token, checked by whatever it changes.
 */
public final class LeaderElection implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());

    private final DistributedLock lock;
    private final LockOptions options;
    private final Candidate candidate;
    private @Nullable CompletableFuture<Lease> standing;
    private @Nullable Leadership leadership;
    private boolean closed;

    /** @param over completes when it has ended, and the candidate has been told */
    private record Leadership(Lease lease, CompletableFuture<Void> over) {}

    /** Whoever wants to lead. Both methods are called on threads of their own and may take their time. */
    public interface Candidate {

        /**
         * It leads, until it is deposed, {@linkplain LeaderElection#resign resigns} or the election is closed; also when this
         * has returned. An exception from it is a resignation, and is logged. It is not called again before it has returned.
         *
         * @param lease how long it leads, and the fencing token of that
         */
        void elected(Lease lease);

        /** It leads no longer; called also while {@link #elected} is still running, which should come to its end. */
        default void deposed(Loss loss) {}
    }

    private LeaderElection(DistributedLock lock, Candidate candidate) {
        this.lock = lock;
        this.options = lock.options().withWaitLimit(LockOptions.FOREVER).withUnreachableLimit(LockOptions.FOREVER);
        this.candidate = candidate;
    }

    /** Stands for election, for as long as it takes: the limits of the lock's options for waiting do not count. */
    public static LeaderElection start(DistributedLock lock, Candidate candidate) {
        LeaderElection election = new LeaderElection(lock, candidate);
        election.stand();
        return election;
    }

    private synchronized void stand() {
        if (!closed) {
            CompletableFuture<Lease> attempt = lock.acquireAsync(options);
            standing = attempt;
            attempt.whenComplete(this::settle);
        }
    }

    private void settle(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            lead(new Leadership(lease, new CompletableFuture<>()));
        } else if (!isClosed() && !(failure instanceof IllegalStateException)) {
            LOG.log(System.Logger.Level.ERROR, "Nobody stands here for '" + lock.resource() + "' any more", failure);
        }
    }

    private void lead(Leadership next) {
        Lease lease = next.lease();
        if (!begin(next)) {
            lease.releaseAsync();
            return;
        }
        lease.onLost(loss -> {
            if (end(next)) {
                guarded(() -> candidate.deposed(loss));
                next.over().complete(null);
            }
        });
        boolean served = guarded(() -> candidate.elected(lease));
        if (!served) {
            resign(next);
        }
        next.over().thenRun(this::stand);
    }

    private synchronized boolean begin(Leadership next) {
        if (!closed) {
            leadership = next;
        }
        return !closed;
    }

    /** Whether it was the present one, which it is no longer. */
    private synchronized boolean end(Leadership ended) {
        boolean present = ended.equals(leadership);
        if (present) {
            leadership = null;
        }
        return present;
    }

    private boolean guarded(Runnable call) {
        try {
            call.run();
            return true;
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "The candidate for '" + lock.resource() + "' failed", e);
            return false;
        }
    }

    /** The lease of the present leadership; empty if another leads, or nobody. */
    public synchronized Optional<Lease> leadership() {
        return Optional.ofNullable(leadership)
                .map(Leadership::lease)
                .filter(lease -> lease.state().isLive());
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
            present.lease().close();
            present.over().complete(null);
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
        CompletableFuture<Lease> attempt = withdraw();
        if (attempt != null) {
            attempt.cancel(true);
        }
        resign();
    }

    private synchronized @Nullable CompletableFuture<Lease> withdraw() {
        closed = true;
        return standing;
    }

    @Override
    public String toString() {
        return "LeaderElection[" + lock.resource() + "]";
    }
}
