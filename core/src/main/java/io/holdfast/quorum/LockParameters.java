package io.holdfast.quorum;

import io.holdfast.lease.LockMode;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The parameters of one lock, computed and checked by the options that they come from.
 *
 * @param ttl the time for which a node keeps the lock without an extension
 * @param drift the part of the TTL that is not relied on
 * @param margin the time before the end of the validity at which a lease is declared lost
 * @param patience how long rounds wait for the nodes
 * @param retry the delays between attempts
 * @param fair whether waiters that have waited for longer always go first
 * @param mode whether the lock is exclusive or shared
 */
public record LockParameters(
        Duration ttl, Drift drift, Duration margin, NodePatience patience, Backoff retry, boolean fair, LockMode mode) {

    /**
     * The longest time after the grant in which a lock may be handed over. It bounds the extra wait of other clients.
     */
    private static final Duration HAND_OVER_LIMIT = Duration.ofMillis(20);

    private static final int HAND_OVERS_PER_LEASE = 10;
    private static final int FOLLOWERS = 16;
    private static final int FOLLOWERS_IF_CONTENDED = 128;

    /** Returns the longest time of a round. */
    public Duration nodeTimeout() {
        return patience.nodeTimeout();
    }

    /** Returns the longest time of a round that renews. */
    public Duration renewalTimeout() {
        return patience.renewal();
    }

    /** Returns a random delay after this number of attempts, at least 1. */
    public Duration retryAfter(int attempts, RandomGenerator random) {
        return retry.after(attempts, random);
    }

    /** Returns the time after the grant in which the lock may be handed over to a waiter of the same client. */
    public Duration handOverLimit() {
        return Durations.shorter(HAND_OVER_LIMIT, Durations.part(ttl, HAND_OVERS_PER_LEASE));
    }

    /** Returns {@code true} if the lock is shared. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /**
     * Returns the number of leases that may follow one within the process without a round.
     *
     * @param contended whether local waiters are known
     */
    public int followers(boolean contended) {
        int followers = contended ? FOLLOWERS_IF_CONTENDED : FOLLOWERS;
        return fair || isShared() ? 0 : followers;
    }
}
