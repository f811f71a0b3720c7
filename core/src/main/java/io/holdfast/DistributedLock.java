package io.holdfast;

import io.holdfast.client.LockClient;
import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import io.holdfast.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The definition of a lock: a resource, and how to wait for it and hold it. It holds nothing itself; each acquisition
 * gives a {@link Lease} of its own. Cheap to create; need not be kept or closed.
 *
 * <p>Memory effects: what a holder did before it released the lock <i>happens before</i> what the next holder does
 * after it was granted the lock, if both are threads of one Java process. Between processes, the guarded resource has
 * to provide that.
 *
 * <p>Immutable and thread-safe.
 */
public final class DistributedLock implements Acquirable<Lease> {

    private final Acquisitions acquisitions;
    private final LockOptions options;

    DistributedLock(LockClient client, String name, String key, LockOptions options) {
        this(new Acquisitions(client, name, key, LockMode.EXCLUSIVE, client::execute), options);
    }

    private DistributedLock(Acquisitions acquisitions, LockOptions options) {
        this.acquisitions = acquisitions;
        this.options = options;
    }

    /** Returns the name of what is locked; see {@link Holdfast#lock} for its key on the nodes. */
    public String resource() {
        return acquisitions.name();
    }

    @Override
    public LockOptions options() {
        return options;
    }

    /** Returns the clocks and threads of the client, for classes that are built on its locks. */
    public Time time() {
        return acquisitions.client().time();
    }

    /**
     * Returns what is acquired by requests to several locks, for classes that are built on locks. It has the options
     * of this lock, blocks as this lock does, and delivers its futures on the {@linkplain
     * HoldfastOptions#callbackExecutor callback executor}.
     *
     * @param request begins an acquisition; to end the returned future ends it
     */
    public <H extends Held> Acquirable<H> composed(Function<LockOptions, CompletableFuture<H>> request) {
        return new Composed<>(acquisitions.client(), options, request);
    }

    /**
     * Returns the shared (read) mode of this lock. Any number of shared holders may hold the lock together; they
     * exclude exclusive holders. A shared request queues behind exclusive requests that have waited for longer, so
     * writers do not starve, as far as the nodes {@linkplain LockNode#canNotify can notify} clients. A shared lease
     * has a fencing token of its own, greater than those of all leases that were granted before.
     */
    public DistributedLock shared() {
        return new DistributedLock(acquisitions.with(LockMode.SHARED), options);
    }

    /**
     * Returns this lock with futures that complete on threads of the library, which may be blocked, instead of the
     * {@linkplain HoldfastOptions#callbackExecutor callback executor}. For classes that are built on locks: they go on
     * while that executor is busy.
     */
    public DistributedLock onOwnThreads() {
        return new DistributedLock(acquisitions.with(time()::execute), options);
    }

    /** Returns {@code true} if this is the {@linkplain #shared shared} mode of the lock. */
    public boolean isShared() {
        return acquisitions.mode() == LockMode.SHARED;
    }

    /** {@inheritDoc} */
    @Override
    public Lease acquire(LockOptions with) throws InterruptedException {
        return acquisitions.acquire(with);
    }

    /** {@inheritDoc} */
    @Override
    public CompletableFuture<Lease> acquireAsync(LockOptions with) {
        return acquisitions.acquireAsync(with);
    }

    private record Composed<H extends Held>(
            LockClient client, LockOptions options, Function<LockOptions, CompletableFuture<H>> request)
            implements Acquirable<H> {

        @Override
        public H acquire(LockOptions with) throws InterruptedException {
            return Blocking.get(client.time(), () -> request.apply(with), Held::releaseAsync);
        }

        @Override
        public CompletableFuture<H> acquireAsync(LockOptions with) {
            CompletableFuture<H> acquisition = request.apply(with);
            if (acquisition.isCompletedExceptionally()) {
                return acquisition;
            }
            CompletableFuture<H> wanted = new CompletableFuture<>();
            wanted.whenComplete((result, failure) -> acquisition.cancel(true));
            acquisition.whenCompleteAsync(
                    (granted, failure) -> Acquisitions.end(wanted, granted, failure), client::execute);
            return wanted;
        }
    }

    Lease attach(DetachedLease detached) throws InterruptedException {
        return acquisitions.attach(detached, options);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + acquisitions.resource() + (isShared() ? ", shared]" : "]");
    }
}
