package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.hold.Held;
import io.holdfast.hold.Hold;
import io.holdfast.hold.HoldRegistry;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The acquisitions and holds of one client. All ways to a lock lead through {@link #start} and {@link #attach}.
 *
 * <p>Thread-safe.
 */
final class LockClient {

    /** How long closing waits at most for the replies of slow nodes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Duration THREAD_RETRY = Duration.ofMillis(100);

    private final NodeGroup nodes;
    private final HoldfastOptions options;
    private final LocalWaiters waiters;
    private final HoldRegistry holds;
    private final PendingAcquisitions pending = new PendingAcquisitions();

    LockClient(NodeGroup nodes, HoldfastOptions options, Consumer<Loss> onLost) {
        this.nodes = nodes;
        this.options = options;
        this.waiters = new LocalWaiters(nodes, new FenceProposer());
        this.holds = new HoldRegistry(nodes, waiters, onLost);
    }

    Time time() {
        return nodes.time();
    }

    HoldfastOptions options() {
        return options;
    }

    /** Begins an acquisition. No other method does, so no lease is longer than the quarantine allows for. */
    CompletableFuture<AcquireResult> start(String resource, LockOptions with, LockMode mode) {
        options.requireLease(with.lease());
        return pending.begin(() -> holding(waiters.acquire(resource, with.parameters(mode), with.waitLimits()), with));
    }

    /** Accepts a lock that another thread of this process offers to the caller; see {@link LocalWaiters#accept}. */
    CompletableFuture<AcquireResult> accept(AcquireResult.Offered offer, LockOptions with) {
        return pending.begin(() -> holding(waiters.accept(offer), with));
    }

    /**
     * Makes a hold of a grant as soon as it arrives. While the caller's thread has not received it, the lock has an owner that
     * renews it, and that {@link #close} releases.
     */
    private CompletableFuture<AcquireResult> holding(CompletableFuture<AcquireResult> acquisition, LockOptions with) {
        CompletableFuture<AcquireResult> wanted = new CompletableFuture<>();
        acquisition.whenComplete((result, failure) -> {
            if (failure != null) {
                wanted.completeExceptionally(failure);
                return;
            }
            AcquireResult held = result instanceof AcquireResult.Grant grant ? new Held(hold(grant, with)) : result;
            if (!wanted.complete(held)) {
                giveBack(held);
            }
        });
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        return wanted;
    }

    /** Ends an acquisition that its caller does not wait for any more. A lock that was granted in the meantime is released. */
    void abandon(CompletableFuture<AcquireResult> acquisition) {
        if (!acquisition.cancel(true)) {
            acquisition.thenAccept(this::giveBack);
        }
    }

    private void giveBack(AcquireResult unwanted) {
        if (unwanted instanceof Held held) {
            held.hold().release();
        } else if (unwanted instanceof AcquireResult.Offered offer) {
            waiters.decline(offer);
        }
    }

    private Hold hold(AcquireResult.Grant grant, LockOptions with) {
        return holds.begin(grant, with.holdLimit(), with.renewal());
    }

    /** Takes over a lock that was granted to another client. */
    CompletableFuture<AcquireResult> attach(Claim granted, LockOptions with) {
        return pending.areClosed()
                ? CompletableFuture.failedFuture(PendingAcquisitions.failure())
                : waiters.resume(granted, with.parameters(granted.mode()));
    }

    Lease lease(Hold hold) {
        return new Lease(hold, this);
    }

    Lease lease(AcquireResult.Grant grant, LockOptions with) {
        return lease(hold(grant, with));
    }

    /** Stores a note about the holder on all nodes; does not wait for their replies. */
    void annotate(Claim held, String text) {
        nodes.nodes().forEach(node -> node.admin().annotate(held, text));
    }

    /** Runs a callback on the executor of the user, else on a thread of its own. */
    void execute(Runnable task) {
        Executor executor = options.callbackExecutor().orElse(null);
        if (executor == null) {
            executeHere(task);
            return;
        }
        try {
            executor.execute(() -> guarded(task));
        } catch (RuntimeException | Error rejected) {
            executeHere(task);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            ClientLog.failed(failure);
        }
    }

    /** Runs the task on a thread of its own. If none can be started, tries again until one can. */
    private void executeHere(Runnable task) {
        try {
            time().execute(task);
        } catch (RuntimeException | Error noThread) {
            time().schedule(THREAD_RETRY, () -> executeHere(task));
        }
    }

    /** Returns {@code false} if the client was closed before. */
    boolean close() {
        if (!pending.close()) {
            return false;
        }
        holds.close();
        waiters.close();
        Blocking.await(nodes.settled(), CLOSE_LIMIT);
        nodes.nodes().forEach(LockNode::close);
        return true;
    }
}
