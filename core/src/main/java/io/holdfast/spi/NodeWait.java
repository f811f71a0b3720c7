package io.holdfast.spi;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.client.ClientLock;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition that waits for nodes, but not for a holder: a job that runs elsewhere is skipped at once, and a
 * restart of servers skips no job. For adapters to schedulers.
 */
public final class NodeWait {

    /** Longer than a server takes to start again, shorter than an outage. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_IN_QUARANTINE = Duration.ofSeconds(1);

    private final DistributedLock lock;
    private final LockOptions with;
    private final Time time;
    private final CompletableFuture<Lease> result = new CompletableFuture<>();
    private volatile CompletableFuture<Lease> attempt = result;
    /** Since when too few nodes answer. The attempts follow each other, so only one of them changes it. */
    private volatile @Nullable Moment silentSince;

    private NodeWait(DistributedLock lock, LockOptions with) {
        this.lock = lock;
        this.with = with;
        this.time = LockInternals.time(lock);
    }

    /**
     * Returns the lock with longer attempts. An acquisition whose wait limit is zero fails at once if the lock is held.
     * If too few nodes vote, it tries again: for 2 s if they do not answer, and until the end of a quarantine. All
     * other acquisitions are those of the lock.
     */
    public static Acquirable<Lease> of(DistributedLock lock) {
        DistributedLock steps = LockInternals.onLibraryThreads(lock);
        return LockInternals.composed(
                lock, with -> with.waitLimit().isZero() ? new NodeWait(steps, with).begin() : steps.acquireAsync(with));
    }

    private CompletableFuture<Lease> begin() {
        result.whenComplete((lease, failure) -> attempt.cancel(true));
        ClientLock.client(lock).failAtClose(result);
        attempt();
        return result;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<Lease> next = LockInternals.acquireAsync(lock, with);
        attempt = next;
        if (result.isDone()) {
            next.cancel(true);
        }
        next.whenComplete(this::settle);
    }

    private void settle(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            if (!result.complete(lease)) {
                lease.releaseAsync();
            }
        } else if (failure instanceof QuorumUnreachableException unreachable && isWaiting(unreachable)) {
            pause(unreachable.quorumExpectedIn().isPresent() ? PAUSE_IN_QUARANTINE : PAUSE);
        } else {
            result.completeExceptionally(failure);
        }
    }

    private void pause(Duration duration) {
        try {
            time.schedule(duration, this::attempt);
        } catch (RuntimeException | Error noTimer) {
            result.completeExceptionally(noTimer);
        }
    }

    private boolean isWaiting(QuorumUnreachableException unreachable) {
        Moment now = time.now();
        Moment since = silentSince;
        if (unreachable.quorumExpectedIn().isPresent()) {
            silentSince = null;
            return true;
        }
        silentSince = since == null ? now : since;
        return since == null || now.surelySince(since).compareTo(LIMIT) < 0;
    }
}
