package io.holdfast;

import io.holdfast.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Collects the values of {@link LockOptions}. The order of the calls has no meaning: {@link #build} checks the values,
 * and derives those that were not set. Not thread-safe.
 */
public final class LockOptionsBuilder {

    Duration waitLimit = Duration.ofSeconds(30);

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

    /** Returns a copy, which the options keep, so that this builder can be used again. */
    LockOptionsBuilder copy() {
        LockOptionsBuilder copy = new LockOptionsBuilder();
        copy.waitLimit = waitLimit;
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
     * Sets the longest wait of an acquisition; 30 s by default, zero or more. It bounds the whole wait: for a holder,
     * for nodes that do not answer, and for nodes in quarantine. {@link LockOptions#FOREVER} sets no limit. A wait ends
     * before its limit if nodes that only an administrator can mend have kept it from a majority for 10 s.
     *
     * <p>Zero does not wait. If clients collide, an acquisition asks again up to ten times: the votes were split among
     * several clients, or a node still has the lock of this client's previous round.
     */
    public LockOptionsBuilder waitLimit(Duration limit) {
        waitLimit = bounded("waitLimit", limit);
        return this;
    }

    /**
     * Sets the time for which the nodes keep the lock without a renewal, at least 10 ms and at most {@link
     * HoldfastOptions#maxLease}, which is 1 min unless it was raised; 30 s by default.
     */
    public LockOptionsBuilder lease(Duration duration) {
        lease = OptionChecks.given("lease", duration);
        return this;
    }

    /** Sets whether the lease is renewed, every third of it, until it is released; {@code true} by default. */
    public LockOptionsBuilder renewal(boolean renewed) {
        renewal = renewed;
        return this;
    }

    /**
     * Sets the longest time that a lease is held, renewals and extensions included; at least the lease; {@link
     * LockOptions#FOREVER} by default. {@link Lease#limit} moves the limit of one lease.
     */
    public LockOptionsBuilder holdLimit(Duration limit) {
        holdLimit = bounded("holdLimit", limit);
        return this;
    }

    /**
     * Sets the share of the lease that is given to clock drift, because the nodes' clocks may run faster than the clock
     * of this client, 0 to 0.5; 0.01 by default. Another 2 ms are always added.
     */
    public LockOptionsBuilder driftShare(double share) {
        driftShare = share;
        return this;
    }

    /**
     * Sets the longest time that any round waits for the nodes, at least 1 ms and less than the lease without drift and
     * margin. A round ends as soon as its votes decide it, so the time is used up only if a majority is silent, or a
     * minority after a split vote.
     *
     * <p>By default it is derived: half a second or a third of the lease, whichever is shorter. A renewal then waits
     * for a thirtieth of the lease if that is longer: one second with a lease of 30 s. A minority that is missing after
     * a split vote then gets twice the time that the nodes took before, at least 50 ms or a tenth of the lease, since
     * another attempt follows.
     */
    public LockOptionsBuilder nodeTimeout(Duration timeout) {
        nodeTimeout = OptionChecks.given("nodeTimeout", timeout);
        return this;
    }

    /**
     * Sets the greatest random delay after the first failed attempt, 20 ms by default, and after any failed attempt,
     * 400 ms by default; both at least 1 ms, and the second not below the first. A waiter that the nodes can notify
     * also asks without a notification, after as long as it has waited: at least the second delay, at most a third of
     * the lease and 4 s.
     */
    public LockOptionsBuilder retryDelays(Duration first, Duration limit) {
        retryDelay = bounded("retryDelay", first);
        retryDelayLimit = bounded("retryDelayLimit", limit);
        return this;
    }

    /**
     * Sets whether waiters of all processes are served strictly in the order of their requests; {@code false} by
     * default. All clients of the lock must use the same value. Otherwise a free lock may go to a newcomer now and
     * then, which is faster; no waiter starves.
     */
    public LockOptionsBuilder fair(boolean inOrder) {
        fair = inOrder;
        return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if a value is out of range, or two values contradict each other; the message
     *     names the value, the rule and the remedy
     */
    public LockOptions build() {
        return new LockOptions(copy());
    }

    /** Cuts durations that would not fit into nanoseconds, such as that of {@code ChronoUnit.FOREVER}. */
    private static Duration bounded(String name, Duration duration) {
        return Durations.shorter(OptionChecks.given(name, duration), LockOptions.FOREVER);
    }
}
