package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockRequest;
import io.holdfast.hold.GrantedHold;
import io.holdfast.lease.LockMode;
import io.holdfast.node.Claim;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of one lock, blocking or not, with a refusal as a failure.
 *
 * @param name the name of the lock, as the user gave it
 * @param resource its key
 * @param delivery completes the futures
 */
record Acquisitions(LockClient client, String name, String resource, LockMode mode, Executor delivery) {

    Acquisitions with(LockMode other) {
        return new Acquisitions(client, name, resource, other, delivery);
    }

    Acquisitions with(Executor other) {
        return new Acquisitions(client, name, resource, mode, other);
    }

    private LockRequest request(LockOptions with) {
        return with.request(resource, mode, client.begun());
    }

    /** However the wait ends, nothing remains that its caller does not receive. */
    Lease acquire(LockOptions with) throws InterruptedException {
        Blocking.requireNotInterrupted("'" + resource + "'");
        LockRequest request = request(with);
        CompletableFuture<AcquireResult> acquisition = client.start(request);
        try {
            AcquireResult result = Blocking.get(client.time(), acquisition);
            while (result instanceof AcquireResult.Offered offer) {
                acquisition = client.accept(offer, request);
                result = Blocking.get(client.time(), acquisition);
            }
            return leaseOf(result);
        } catch (Throwable ended) {
            client.abandon(acquisition, request);
            throw ended;
        }
    }

    CompletableFuture<Lease> acquireAsync(LockOptions with) {
        CompletableFuture<Lease> wanted = new CompletableFuture<>();
        LockRequest request = request(with);
        follow(client.start(request), wanted, request)
                .thenApply(this::leaseOf)
                .whenComplete((granted, failure) -> end(wanted, granted, failure));
        return wanted;
    }

    /** Completes the future of a caller; releases what the caller does not want any more. */
    static <H extends Held> void end(CompletableFuture<H> wanted, H granted, @Nullable Throwable failure) {
        if (failure != null) {
            wanted.completeExceptionally(failure instanceof CompletionException e ? e.getCause() : failure);
        } else if (!wanted.complete(granted)) {
            granted.releaseAsync();
        }
    }

    /**
     * Ends the acquisition when the caller's future ends, however it is completed. A grant that has arrived before has one owner: {@link
     * #acquireAsync}, which releases it.
     */
    private CompletableFuture<AcquireResult> follow(
            CompletableFuture<AcquireResult> acquisition, CompletableFuture<?> wanted, LockRequest request) {
        wanted.whenComplete((granted, failure) -> acquisition.cancel(true));
        return client.delivered(acquisition, delivery)
                .thenCompose(result -> result instanceof AcquireResult.Offered offer
                        ? follow(client.accept(offer, request), wanted, request)
                        : CompletableFuture.completedFuture(result));
    }

    /** Takes over a lease; see {@link Holdfast#attach}. */
    Lease attach(DetachedLease detached, LockOptions options) throws InterruptedException {
        Claim granted = detached.claim(options.lease());
        LockRequest request = options.request(resource, granted.mode(), client.begun());
        AcquireResult result = Blocking.get(client.time(), () -> client.attach(granted, request), none -> {});
        if (result instanceof AcquireResult.Refusal refusal
                && refusal.outcome().tally().isDenied()) {
            throw new LeaseLostException(
                    name,
                    "The lease on '" + resource + "' has ended; it is not held by this owner any more ["
                            + Vote.join(refusal.outcome().votes()) + "]");
        }
        if (result instanceof AcquireResult.Grant grant) {
            return new Lease(name, client.attached(grant, request), client);
        }
        throw failure((AcquireResult.Refusal) result);
    }

    private Lease leaseOf(AcquireResult result) {
        if (result instanceof GrantedHold held) {
            return new Lease(name, held.hold(), client);
        }
        throw failure((AcquireResult.Refusal) result);
    }

    private HoldfastException failure(AcquireResult.Refusal refusal) {
        Outcome outcome = refusal.outcome();
        return refusal.isHeld()
                ? new LockTimeoutException(name, outcome, refusal.waited())
                : new QuorumUnreachableException(name, outcome, refusal.waited());
    }
}
