package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.Grant;
import io.holdfast.client.CallerFuture;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockRequest;
import io.holdfast.client.WaitingThread;
import io.holdfast.hold.Hold;
import io.holdfast.lease.LockMode;
import io.holdfast.node.Claim;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.ThreadWait;
import java.util.concurrent.CompletableFuture;
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
        ThreadWait.requireNotInterrupted("'" + resource + "'");
        WaitingThread thread = new WaitingThread(client.time());
        CompletableFuture<AcquireResult<Hold>> acquisition = client.start(request(with), thread);
        try {
            thread.await(acquisition);
            return leaseOf(Blocking.get(client.time(), acquisition));
        } catch (Throwable ended) {
            LockClient.abandon(acquisition);
            throw ended;
        }
    }

    /** A grant that has arrived before the caller's future ends has one owner: this method, which releases it. */
    CompletableFuture<Lease> acquireAsync(LockOptions with) {
        CompletableFuture<Lease> wanted = new CompletableFuture<>();
        CompletableFuture<AcquireResult<Hold>> acquisition = client.start(request(with), delivery);
        wanted.whenComplete((granted, failure) -> acquisition.cancel(true));
        CallerFuture.complete(
                wanted, client.delivered(acquisition, delivery).thenApply(this::leaseOf), Lease::releaseAsync);
        return wanted;
    }

    /** Takes over a lease; see {@link Holdfast#attach}. */
    Lease attach(DetachedLease detached, LockOptions options) throws InterruptedException {
        Claim granted = detached.claim(options.lease());
        LockRequest request = options.request(resource, granted.mode(), client.begun());
        AcquireResult<Grant> result = Blocking.get(client.time(), () -> client.attach(granted, request), none -> {});
        if (result instanceof AcquireResult.Refused<?> refused) {
            Outcome outcome = refused.outcome();
            if (outcome != null && outcome.tally().isDenied()) {
                throw new LeaseLostException(
                        name,
                        "The lease on '" + resource + "' has ended; it is not held by this owner any more ["
                                + Vote.join(outcome.votes()) + "]");
            }
        }
        return leaseOf(result.map(grant -> client.attached(grant, request)));
    }

    private Lease leaseOf(AcquireResult<Hold> result) {
        if (result instanceof AcquireResult.Refused<?> refused) {
            throw failure(refused.outcome(), refused);
        }
        return new Lease(name, result.lock().orElseThrow(), client);
    }

    private HoldfastException failure(@Nullable Outcome outcome, AcquireResult.Refused<?> refused) {
        if (outcome == null) {
            return new LockTimeoutException(name, null, refused.waited(), refused.holder());
        }
        return refused.isByHolder()
                ? new LockTimeoutException(name, outcome, refused.waited(), refused.holder())
                : new QuorumUnreachableException(name, outcome, refused.waited());
    }
}
