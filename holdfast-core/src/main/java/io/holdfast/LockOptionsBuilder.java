package io.holdfast;

import io.holdfast.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Collects the values of {@link LockOptions}. The order of the calls is of no meaning: values are checked, and the missing ones derived,
 * when {@link #build} is called. Not thread-safe.
 */
public final class LockOptionsBuilder {

    Duration waitLimit = Duration.ofSeconds(30);

    @Nullable
    Duration unreachableLimit;

    Duration lease = Duration.ofSeconds(30);
    boolean renewal = true;
    Duration holdLimit = LockOptions.FOREVER;
    double driftShare = 0.01;

    @Nullable
    Duration nodeTimeout;

    Duration retryDelay = Duration.ofMillis(20);
    Duration retryDelayLimit = Duration.ofMillis(400);
    boolean fair;

    LockOptionsBuilder() {}

    /** A copy that the options keep, so that this builder can be used again. */
    LockOptionsBuilder copy() {
        LockOptionsBuilder copy = new LockOptionsBuilder();
        copy.waitLimit = waitLimit;
        copy.unreachableLimit = unreachableLimit;
        copy.lease = lease;
        copy.renewal = renewal;
        copy.holdLimit = holdLimit;
        copy.driftShare = driftShare;
        copy.nodeTimeout = nodeTimeout;
        copy.retryDelay = retryDelay;
        copy.retryDelayLimit = retryDelayLimit;
        copy.fair = fair;
        return copy;
    }

    /**
     * The time that {@code acquire} waits in all while another holds the lock, 30 s by default. Zero: it does not wait for a holder. It
     * still makes up to ten further rounds where several clients asked at the same moment and none of them got a majority.
     */
    public LockOptionsBuilder waitLimit(Duration limit) {
        waitLimit = bounded(limit);
        return this;
    }

    /**
     * The time that {@code acquire} goes on while too few nodes answer; by default the same as {@link #waitLimit}. If it is longer than
     * that, an acquisition also waits until nodes in quarantine vote again, which they do a tenth more than {@link
     * HoldfastOptions#maxLease} after their restart: so a job that does not wait for another holder does not fail because a server was
     * restarted. The longer of the two limits bounds the acquisition otherwise.
     */
    public LockOptionsBuilder unreachableLimit(Duration limit) {
        unreachableLimit = bounded(limit);
        return this;
    }

    /** The time that the nodes keep the lock without a renewal, 10 ms to {@link LockOptions#MAX_LEASE}; 30 s by default. */
    public LockOptionsBuilder lease(Duration duration) {
        lease = duration;
        return this;
    }

    /** Whether the lease is renewed, every third of it, until it is released; by default it is. */
    public LockOptionsBuilder renewal(boolean renewed) {
        renewal = renewed;
        return this;
    }

    /** The longest that a lease is held in all, renewals and extensions included; at least the lease, without limit by default. */
    public LockOptionsBuilder holdLimit(Duration limit) {
        holdLimit = bounded(limit);
        return this;
    }

    /**
     * The share of the lease that is not relied on because the nodes' clocks may run faster than ours, 0 to 0.5; 0.01 by default. 2 ms
     * come on top.
     */
    public LockOptionsBuilder driftShare(double share) {
        driftShare = share;
        return this;
    }

    /** The time that one round waits for a node, 1 ms up to what the lease allows; by default a tenth of the lease, 50 ms at most. */
    public LockOptionsBuilder nodeTimeout(Duration timeout) {
        nodeTimeout = timeout;
        return this;
    }

    /**
     * The greatest random delay after the first failed attempt, 20 ms by default, and after any, 400 ms by default; at least 1 ms. A waiter
     * that the nodes will notify asks without a notification after as long as it has waited, between the second of these and a third
     * of the lease, 4 s at most.
     */
    public LockOptionsBuilder retryDelays(Duration first, Duration limit) {
        retryDelay = bounded(first);
        retryDelayLimit = bounded(limit);
        return this;
    }

    /**
     * Whether waiters are served strictly in the order in which they came, in whatever process; by default they are not. All clients that
     * want the lock have to agree on it. Otherwise a free lock may go to a newcomer now and then, which is faster, and no waiter
     * starves.
     */
    public LockOptionsBuilder fair(boolean inOrder) {
        fair = inOrder;
        return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a value is out of range or two of them contradict each other; it names the value, the rule and
     *     the remedy
     */
    public LockOptions build() {
        return new LockOptions(copy());
    }

    /** Longer than for ever, as {@code ChronoUnit.FOREVER} is, would not fit into nanoseconds. */
    private static Duration bounded(Duration duration) {
        return Durations.shorter(duration, LockOptions.FOREVER);
    }
}
