package io.holdfast;

import io.holdfast.client.ClientLock;
import io.holdfast.client.LockClient;
import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import java.util.concurrent.CompletableFuture;

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
public final class DistributedLock extends ClientLock<DistributedLock> implements Acquirable<Lease> {

    private final Acquisitions acquisitions;
    private final LockOptions options;

    DistributedLock(LockClient client, String name, String key, LockOptions options) {
        this(new Acquisitions(client, name, key, LockMode.EXCLUSIVE, client::execute), options);
    }

    private DistributedLock(Acquisitions acquisitions, LockOptions options) {
        super(acquisitions.client(), delivery -> new DistributedLock(acquisitions.with(delivery), options));
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

    /**
     * Returns the shared (read) mode of this lock. Any number of shared holders may hold the lock together; they
     * exclude exclusive holders. A shared request queues behind exclusive requests that have waited for longer, so
     * writers do not starve, as far as the nodes {@linkplain LockNode#canNotify can notify} clients. A shared lease
     * has a fencing token of its own, greater than those of all leases that were granted before.
     */
    public DistributedLock shared() {
        return new DistributedLock(acquisitions.with(LockMode.SHARED), options);
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

    Lease attach(DetachedLease detached) throws InterruptedException {
        return acquisitions.attach(detached, options);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + acquisitions.resource() + (isShared() ? ", shared]" : "]");
    }
}
