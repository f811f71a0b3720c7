package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.hold.Held;
import io.holdfast.hold.Hold;
import io.holdfast.hold.HoldRegistry;
import io.holdfast.lease.LockMode;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions and holds of one client. All ways to a lock lead through {@link #start} and {@link #attach}.
 *
 * <p>Thread-safe.
 */
final class LockClient {

    /** The longest time that closing waits for the replies of slow nodes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final NodeGroup nodes;
    private final HoldfastOptions options;
    private final CallbackRunner callbacks;
    private final LockEvents events;
    private final LocalWaiters waiters;
    private final HoldRegistry holds;
    private final PendingAcquisitions pending = new PendingAcquisitions();

    LockClient(NodeGroup nodes, HoldfastOptions options, CallbackRunner callbacks, LockEvents events) {
        this.nodes = nodes;
        this.options = options;
        this.callbacks = callbacks;
        this.events = events;
        this.waiters = new LocalWaiters(nodes, new FenceProposer());
        this.holds = new HoldRegistry(nodes, waiters, events);
    }

    /** Returns the moment at which a request begins; null if there is no listener. */
    @Nullable
    Moment begun() {
        return events.begun();
    }

    Time time() {
        return nodes.time();
    }

    HoldfastOptions options() {
        return options;
    }

    /** Begins an acquisition. No other method does, so no lease is longer than the quarantine allows for. */
    CompletableFuture<AcquireResult> start(String resource, LockOptions with, LockMode mode, @Nullable Moment begun) {
        options.requireLease(with.lease());
        return pending.begin(() -> holding(
                waiters.acquire(resource, with.parameters(mode), with.waitLimits()),
                result -> held(resource, result, with, begun, false)));
    }

    /** Accepts a lock that another thread of this process offers to the caller; see {@link LocalWaiters#accept}. */
    CompletableFuture<AcquireResult> accept(
            String resource, AcquireResult.Offered offer, LockOptions with, @Nullable Moment begun) {
        return pending.begin(() -> holding(waiters.accept(offer), result -> held(resource, result, with, begun, true)));
    }

    /**
     * Makes a hold of a grant as soon as it arrives. While the caller's thread has not received it, the lock has an owner that
     * renews it, and that {@link #close} releases.
     */
    private CompletableFuture<AcquireResult> holding(
            CompletableFuture<AcquireResult> acquisition, UnaryOperator<AcquireResult> holder) {
        CompletableFuture<AcquireResult> wanted = new CompletableFuture<>();
        acquisition.whenComplete((result, failure) -> {
            if (failure != null) {
                wanted.completeExceptionally(failure);
                return;
            }
            AcquireResult held = holder.apply(result);
            if (!wanted.complete(held)) {
                giveBack(held);
            }
        });
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        return wanted;
    }

    /** Makes a hold of a grant, and reports the result. The event of the grant precedes those of the hold. */
    private AcquireResult held(
            String resource, AcquireResult result, LockOptions with, @Nullable Moment begun, boolean handedOver) {
        if (result instanceof AcquireResult.Refusal refusal) {
            events.refused(resource, refusal, begun);
        } else if (result instanceof AcquireResult.Grant grant) {
            events.granted(grant.claim(), begun, handedOver);
            return new Held(hold(grant, with));
        }
        return result;
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

    /** Makes a lease of a lock that was attached. */
    Lease attached(AcquireResult.Grant grant, LockOptions with, @Nullable Moment begun) {
        events.granted(grant.claim(), begun, true);
        return lease(hold(grant, with));
    }

    /** Stores a note about the holder on all nodes; does not wait for their replies. */
    void annotate(Claim held, String text) {
        nodes.nodes().forEach(node -> node.admin().annotate(held, text));
    }

    /** Runs a callback on the executor of the user, else on a thread of its own. */
    void execute(Runnable task) {
        callbacks.execute(task);
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
