package io.holdfast.quorum;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Result.Grant;
import io.holdfast.quorum.Result.Refusal;
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

    private final Contenders contenders;
    private final String resource;
    private final Terms terms;
    private final List<Waiter> waiters = new ArrayList<>();
    private @Nullable Refusal refusal;

    FinalAttempt(Contenders contenders, String resource, Terms terms) {
        this.contenders = contenders;
        this.resource = resource;
        this.terms = terms;
    }

    /** Adds a waiter, or returns the refusal if there has been one; only while {@link Contenders} has the attempt in its map. */
    synchronized @Nullable Refusal join(Waiter waiter) {
        if (refusal == null) {
            waiters.add(waiter);
        }
        return refusal;
    }

    /** Asks the nodes, in one round. */
    void start(Waiter first) {
        Quorum quorum = contenders.quorum();
        Acquisition.of(
                        quorum,
                        contenders.proposals(),
                        resource,
                        terms.withNodeTimeout(longer(terms.nodeTimeout(), patience())),
                        WaitLimits.LAST_ROUND,
                        first.since(),
                        false,
                        this::settle)
                .start();
    }

    private void settle(@Nullable Result settled, @Nullable Throwable failure) {
        if (settled instanceof Refusal refused) {
            // A waiter whose limits expire a moment later need not ask again.
            contenders.quorum().time().schedule(patience(), this::forget);
            List<Waiter> ended = refuse(refused);
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
        contenders.attempted(this, resource, terms);
    }

    private synchronized List<Waiter> refuse(Refusal refused) {
        refusal = refused;
        List<Waiter> ended = List.copyOf(waiters);
        waiters.clear();
        return ended;
    }

    private synchronized List<Waiter> joined() {
        return List.copyOf(waiters);
    }

    private Duration patience() {
        return shorter(PATIENCE, part(terms.ttl(), ROUNDS_PER_LEASE));
    }

    private void give(Grant granted, List<Waiter> ended) {
        Grant grant = new Grant(granted.claim(), granted.trail(), granted.validity(), terms);
        for (int i = 0; i < ended.size(); i++) {
            Waiter waiter = ended.get(i);
            contenders.settled(resource, waiter, grant);
            if (waiter.granted(grant)) {
                ended.subList(i + 1, ended.size()).forEach(contenders::attemptFinally);
                return;
            }
        }
        Claim claim = grant.claim();
        contenders.quorum().release(claim, grant.trail(), terms.nodeTimeout());
        contenders.ended(claim);
    }
}
