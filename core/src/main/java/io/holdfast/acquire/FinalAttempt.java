package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.acquire.AcquireResult.Refusal;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that local waiters share when their limits expire at about the same time. Each of them reports its
 * outcome. Ten thousand waiters whose limits expire together cost the nodes a few rounds. If the attempt is granted,
 * one waiter receives the lock, and the others share another attempt.
 *
 * <p>Thread-safe.
 */
final class FinalAttempt {

    private final LocalWaiters localWaiters;
    private final String resource;
    private final LockParameters parameters;
    private final List<LocalWaiter> waiters = new ArrayList<>();
    private @Nullable Refusal refusal;

    FinalAttempt(LocalWaiters localWaiters, String resource, LockParameters parameters) {
        this.localWaiters = localWaiters;
        this.resource = resource;
        this.parameters = parameters;
    }

    /**
     * Adds a waiter, or returns the refusal if there is one already. To be called only by
     * {@link LocalWaiters#joinFinalAttempt}.
     */
    synchronized @Nullable Refusal join(LocalWaiter waiter) {
        if (refusal == null) {
            waiters.add(waiter);
        }
        return refusal;
    }

    /** Starts the only round. */
    void start(LocalWaiter first) {
        NodeGroup group = localWaiters.group();
        Acquisition.of(
                        group,
                        localWaiters.proposer(),
                        resource,
                        parameters,
                        WaitLimit.LAST_ROUND,
                        first.since(),
                        false,
                        this::settle)
                .attempt();
    }

    private void settle(@Nullable AcquireResult settled, @Nullable Throwable failure) {
        if (settled instanceof Refusal refused) {
            // A waiter whose limits expire a moment later need not ask again.
            localWaiters.group().time().schedule(parameters.nodeTimeout(), this::deregister);
            refuse(refused).forEach(waiter -> waiter.refused(refused));
            return;
        }
        deregister();
        if (settled instanceof Grant grant) {
            grantToOne(grant, joined());
        } else if (failure != null) {
            joined().forEach(waiter -> waiter.fail(failure));
        }
    }

    private void deregister() {
        localWaiters.finalAttemptEnded(this, resource, parameters);
    }

    private synchronized List<LocalWaiter> refuse(Refusal refused) {
        refusal = refused;
        List<LocalWaiter> ended = List.copyOf(waiters);
        waiters.clear();
        return ended;
    }

    private synchronized List<LocalWaiter> joined() {
        return List.copyOf(waiters);
    }

    private void grantToOne(Grant grant, List<LocalWaiter> ended) {
        for (int i = 0; i < ended.size(); i++) {
            LocalWaiter waiter = ended.get(i);
            localWaiters.contenderSettled(resource, waiter, grant);
            if (waiter.granted(grant)) {
                ended.subList(i + 1, ended.size()).forEach(localWaiters::joinFinalAttempt);
                return;
            }
        }
        localWaiters.group().release(grant.claim(), grant.trace(), parameters.nodeTimeout());
        localWaiters.ended(grant.held());
    }
}
