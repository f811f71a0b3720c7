package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockRequest;
import io.holdfast.hold.GrantedHold;
import io.holdfast.lease.LockMode;
import io.holdfast.node.Claim;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The acquisitions of one lock, in the forms that {@link DistributedLock} offers: blocking or not, with a refusal as a failure or as an
 * empty result.
 *
 * @param delivery completes the futures
 */
record Acquisitions(LockClient client, String resource, LockMode mode, Executor delivery) {

    Acquisitions with(LockMode other) {
        return new Acquisitions(client, resource, other, delivery);
    }

    Acquisitions with(Executor other) {
        return new Acquisitions(client, resource, mode, other);
    }

    Lease acquire(LockOptions with) throws InterruptedException {
        return await(with, this::leaseOf);
    }

    Optional<Lease> tryAcquire(LockOptions with) throws InterruptedException {
        return await(with, this::optional);
    }

    CompletableFuture<Lease> acquireAsync(LockOptions with) {
        return async(with, this::leaseOf, Lease::releaseAsync);
    }

    CompletableFuture<Optional<Lease>> tryAcquireAsync(LockOptions with) {
        return async(with, this::optional, lease -> lease.ifPresent(Lease::releaseAsync));
    }

    private LockRequest request(LockOptions with) {
        return with.request(resource, mode, client.begun());
    }

    /** However the wait ends, nothing remains that its caller does not receive. */
    private <T> T await(LockOptions with, Function<AcquireResult, T> meaning) throws InterruptedException {
        Blocking.requireNotInterrupted("'" + resource + "'");
        LockRequest request = request(with);
        CompletableFuture<AcquireResult> acquisition = client.start(request);
        try {
            AcquireResult result = Blocking.get(client.time(), acquisition);
            while (result instanceof AcquireResult.Offered offer) {
                acquisition = client.accept(offer, request);
                result = Blocking.get(client.time(), acquisition);
            }
            return meaning.apply(result);
        } catch (Throwable ended) {
            client.abandon(acquisition, request);
            throw ended;
        }
    }

    /**
     * Delivers the result of an acquisition to the caller's future.
     *
     * @param release called for a result that the caller does not want any more
     */
    private <T> CompletableFuture<T> async(LockOptions with, Function<AcquireResult, T> meaning, Consumer<T> release) {
        CompletableFuture<T> wanted = new CompletableFuture<>();
        LockRequest request = request(with);
        follow(client.start(request), wanted, request).thenApply(meaning).whenComplete((granted, failure) -> {
            if (failure != null) {
                wanted.completeExceptionally(failure instanceof CompletionException e ? e.getCause() : failure);
            } else if (!wanted.complete(granted)) {
                release.accept(granted);
            }
        });
        return wanted;
    }

    /**
     * Ends the acquisition when the caller's future ends, however it is completed. A grant that has arrived before has one owner: {@link
     * #async}, which releases it.
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
                    resource,
                    "The lease on '" + resource + "' has ended; it is not held by this owner any more ["
                            + Vote.join(refusal.outcome().votes()) + "]");
        }
        if (result instanceof AcquireResult.Grant grant) {
            return new Lease(client.attached(grant, request), client);
        }
        throw failure((AcquireResult.Refusal) result);
    }

    private Lease leaseOf(AcquireResult result) {
        if (result instanceof GrantedHold held) {
            return new Lease(held.hold(), client);
        }
        throw failure((AcquireResult.Refusal) result);
    }

    private Optional<Lease> optional(AcquireResult result) {
        boolean held = result instanceof AcquireResult.Refusal refusal && refusal.isHeld();
        return held ? Optional.empty() : Optional.of(leaseOf(result));
    }

    private HoldfastException failure(AcquireResult.Refusal refusal) {
        Outcome outcome = refusal.outcome();
        return refusal.isHeld()
                ? new LockTimeoutException(resource, outcome, refusal.waited())
                : new QuorumUnreachableException(resource, outcome, refusal.waited());
    }
}
