package io.holdfast.acquire;

import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import java.time.Duration;

/** The delays between the attempts of one acquisition. Thread-safe. */
record AttemptDelays(LockWait lockWait) {

    /** The poll interval of a waiter that is queued on a majority. Long, since very many may wait. */
    private static final Duration IDLE_POLL = Duration.ofSeconds(4);

    private static final int IDLE_POLLS_PER_LEASE = 3;

    /** Returns a random delay, or less if the lock expires before. */
    Duration after(Outcome outcome, int attempts, boolean isQueued) {
        Duration random = isQueued
                ? poll(outcome)
                : lockWait.parameters().retryAfter(attempts, lockWait.group().random());
        return outcome.freeIn()
                .filter(freeIn -> !freeIn.isZero())
                .map(freeIn -> shorter(random, freeIn.plusMillis(1)))
                .orElse(random);
    }

    /**
     * Returns {@code true} if the waiter need only query the nodes after this delay: its standing claim is too old by
     * then, and the lock cannot have expired. A shared waiter makes an attempt, which removes exclusive waiters that
     * are gone from the queue.
     */
    boolean endsInQuery(Duration delay, Outcome outcome, Claim standing) {
        boolean cannotExpire =
                outcome.freeIn().filter(left -> left.compareTo(delay) > 0).isPresent();
        boolean holdsNothing = outcome.tally().granted() == 0;
        return cannotExpire && holdsNothing && !standing.isShared() && delay.compareTo(standing.standingAge()) > 0;
    }

    /** Returns the delay of a waiter that expects a notification; longer if it is queued on a majority. */
    private Duration poll(Outcome outcome) {
        if (outcome.verdict() == Verdict.STALE) {
            return soon();
        }
        return outcome.tally().isRefusedByMajority()
                ? idle()
                : lockWait.parameters().retry().pollDelay(lockWait.group().random());
    }

    /** Returns a short delay. */
    Duration soon() {
        return lockWait.parameters().retryAfter(1, lockWait.group().random());
    }

    /**
     * Returns a delay that grows with the wait, so that the release of an older client, which notifies no waiter, is
     * noticed soon.
     */
    Duration idle() {
        Duration longest = shorter(IDLE_POLL, part(lockWait.parameters().ttl(), IDLE_POLLS_PER_LEASE));
        return lockWait.parameters()
                .retry()
                .pollDelay(
                        shorter(longest, lockWait.waited(lockWait.now())),
                        lockWait.group().random());
    }
}
