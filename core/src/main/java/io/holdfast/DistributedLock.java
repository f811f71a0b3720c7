package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.client.CallerFuture;
import io.holdfast.client.ClientLock;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockRequest;
import io.holdfast.client.WaitingThread;
import io.holdfast.hold.Hold;
import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import io.holdfast.time.ThreadWait;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

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

    private final LockClient client;
    private final String name;
    private final String key;
    private final LockMode mode;
    private final LockOptions options;
    /** Completes the futures. */
    private final Executor delivery;

    DistributedLock(LockClient client, String name, String key, LockOptions options) {
        this(client, name, key, LockMode.EXCLUSIVE, options, client::execute);
    }

    private DistributedLock(
            LockClient client, String name, String key, LockMode mode, LockOptions options, Executor delivery) {
        super(client, other -> new DistributedLock(client, name, key, mode, options, other));
        this.client = client;
        this.name = name;
        this.key = key;
        this.mode = mode;
        this.options = options;
        this.delivery = delivery;
    }

    /** Returns the name of what is locked; see {@link Holdfast#lock} for its key on the nodes. */
    public String resource() {
        return name;
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
        return new DistributedLock(client, name, key, LockMode.SHARED, options, delivery);
    }

    /** Returns {@code true} if this is the {@linkplain #shared shared} mode of the lock. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /** {@inheritDoc} */
    @Override
    public Lease acquire(LockOptions with) throws InterruptedException {
        ThreadWait.requireNotInterrupted(key);
        WaitingThread thread = new WaitingThread(client.time());
        CompletableFuture<AcquireResult<Hold>> acquisition = client.start(request(with), thread);
        try {
            thread.await(acquisition);
            return lease(Blocking.get(client.time(), acquisition));
        } catch (Throwable ended) {
            // However the wait ends, nothing remains that its caller does not receive.
            LockClient.abandon(acquisition);
            throw ended;
        }
    }

    /** {@inheritDoc} */
    @Override
    public CompletableFuture<Lease> acquireAsync(LockOptions with) {
        CompletableFuture<Lease> wanted = new CompletableFuture<>();
        CompletableFuture<AcquireResult<Hold>> acquisition = client.start(request(with), delivery);
        wanted.whenComplete((granted, failure) -> acquisition.cancel(true));
        // A grant that has arrived before the caller's future ends has one owner: this method, which releases it.
        CallerFuture.complete(
                wanted, client.delivered(acquisition, delivery).thenApply(this::lease), Lease::releaseAsync);
        return wanted;
    }

    private LockRequest request(LockOptions with) {
        return OptionChecks.given("lockOptions", with).request(key, mode, client.begun());
    }

    private Lease lease(AcquireResult<Hold> result) {
        return lease(result, name, client);
    }

    /** Returns the lease of a granted lock, or throws the failure of a refused acquisition. */
    static Lease lease(AcquireResult<Hold> result, String name, LockClient client) {
        if (result instanceof AcquireResult.Refused<?> refused) {
            throw HoldfastException.of(refused, name);
        }
        return new Lease(name, result.lock().orElseThrow(), client);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + key + (isShared() ? ", shared]" : "]");
    }
}
