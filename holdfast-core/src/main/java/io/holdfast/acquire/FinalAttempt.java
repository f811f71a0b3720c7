package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.acquire.AcquireResult.Refusal;
import io.holdfast.node.Claim;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that local waiters share whose limits expire at about the same time: it tells all of them what the nodes say. Ten
 * thousand waiters that expire together cost the nodes a few rounds. If it is granted, one of the waiters has the lock, and the others share
 * another attempt.
 *
 * <p>Thread-safe.
 */
final class FinalAttempt {

    /** Thousands of threads that wake together may starve the one that reads the answers for longer than a usual round waits. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private static final int ROUNDS_PER_LEASE = 3;

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

    /** Adds a waiter, or returns the refusal if there has been one; only while {@link LocalWaiters} has the attempt in its map. */
    synchronized @Nullable Refusal join(LocalWaiter waiter) {
        if (refusal == null) {
            waiters.add(waiter);
        }
        return refusal;
    }

    /** Asks the nodes, in one round. */
    void start(LocalWaiter first) {
        NodeGroup group = localWaiters.group();
        Acquisition.of(
                        group,
                        localWaiters.proposer(),
                        resource,
                        parameters.withNodeTimeout(longer(parameters.nodeTimeout(), patience())),
                        WaitLimits.LAST_ROUND,
                        first.since(),
                        false,
                        this::settle)
                .start();
    }

    private void settle(@Nullable AcquireResult settled, @Nullable Throwable failure) {
        if (settled instanceof Refusal refused) {
            // A waiter whose limits expire a moment later need not ask again.
            localWaiters.group().time().schedule(patience(), this::forget);
            List<LocalWaiter> ended = refuse(refused);
            // In reverse, since a waiter that goes on waiting is the first in the queue again.
            for (int i = ended.size() - 1; i >= 0; i--) {
                ended.get(i).refused(refused);
            }
            return;
        }
        forget();
        if (settled instanceof Grant grant) {
            give(grant, joined());
        } else if (failure != null) {
            joined().forEach(waiter -> waiter.fail(failure));
        }
    }

    private void forget() {
        localWaiters.attempted(this, resource, parameters);
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

    private Duration patience() {
        return shorter(PATIENCE, part(parameters.ttl(), ROUNDS_PER_LEASE));
    }

    private void give(Grant granted, List<LocalWaiter> ended) {
        Grant grant = new Grant(granted.claim(), granted.trace(), granted.validity(), parameters);
        for (int i = 0; i < ended.size(); i++) {
            LocalWaiter waiter = ended.get(i);
            localWaiters.settled(resource, waiter, grant);
            if (waiter.granted(grant)) {
                ended.subList(i + 1, ended.size()).forEach(localWaiters::attemptFinally);
                return;
            }
        }
        Claim claim = grant.claim();
        localWaiters.group().release(claim, grant.trace(), parameters.nodeTimeout());
        localWaiters.ended(claim);
    }
}
