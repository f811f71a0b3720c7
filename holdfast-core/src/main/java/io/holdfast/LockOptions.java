package io.holdfast;

import io.holdfast.node.Access;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.Patience;
import io.holdfast.quorum.RetryDelays;
import io.holdfast.quorum.Terms;
import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * How a lock is waited for and held. Immutable; a value that cannot work is refused when it is given.
 *
 * @param waitLimit how long {@code acquire} waits while another holds the lock; zero: one round, no wait; {@link #FOREVER}
 * @param unreachableLimit how long it goes on while too few nodes answer, within {@code waitLimit}; nodes in quarantine, which
 *     will vote again, count as answering
 * @param lease how long the nodes keep the lock without a renewal, 10 ms to {@link #MAX_LEASE}
 * @param renewal whether the lease is renewed, every third of it, until it is released
 * @param holdLimit the longest that a lease is held in all, renewals and extensions included; at least {@code lease}
 * @param driftShare the share of the lease that is not relied on because the nodes' clocks may run faster than ours, 0 to
 *     0.5; 2 ms come on top
 * @param nodeTimeout how long one round waits for a node, less than the lease
 * @param retryDelay the greatest random delay after the first failed attempt
 * @param retryDelayLimit the greatest random delay after any; whoever waits in line asks that often, in case a call was lost
 * @param fair whether nobody is let in before those who have waited for longer, in whatever process; all who want the lock have
 *     to agree on it. Otherwise a free lock may go to a newcomer now and then, which is faster, and nobody waits for ever
 */
public record LockOptions(
        Duration waitLimit,
        Duration unreachableLimit,
        Duration lease,
        boolean renewal,
        Duration holdLimit,
        double driftShare,
        Duration nodeTimeout,
        Duration retryDelay,
        Duration retryDelayLimit,
        boolean fair) {

    /** A bound that is never reached: 100 years. */
    public static final Duration FOREVER = Duration.ofDays(36_525);

    /** The longest lease that can be asked for. With renewal, a short lease holds a lock for as long as you like. */
    public static final Duration MAX_LEASE = Duration.ofHours(24);

    private static final Duration MAX_NODE_TIMEOUT = Duration.ofMillis(50);
    private static final Duration MAX_MARGIN = Duration.ofSeconds(1);
    private static final int NODE_TIMEOUTS_PER_LEASE = 10;
    private static final int MARGINS_PER_LEASE = 20;
    private static final double MAX_DRIFT_SHARE = 0.5;

    /** Wait up to 30 s, lease of 30 s with renewal, no bound on the hold, 1 % drift, nodes answer within 50 ms. */
    public static final LockOptions DEFAULT = new LockOptions(
            Duration.ofSeconds(30),
            FOREVER,
            Duration.ofSeconds(30),
            true,
            FOREVER,
            0.01,
            MAX_NODE_TIMEOUT,
            Duration.ofMillis(20),
            Duration.ofMillis(400),
            false);

    public LockOptions {
        Require.that(
                !waitLimit.isNegative(),
                "waitLimit",
                waitLimit,
                "is negative",
                "give zero for a single attempt, or a duration");
        Require.that(
                !unreachableLimit.isNegative(),
                "unreachableLimit",
                unreachableLimit,
                "is negative",
                "give zero or a duration");
        Require.lease("lease", lease);
        Require.that(
                holdLimit.compareTo(lease) >= 0,
                "holdLimit",
                holdLimit,
                "is shorter than the lease of " + lease,
                "raise holdLimit or shorten the lease");
        if (!(driftShare >= 0 && driftShare <= MAX_DRIFT_SHARE)) {
            throw new IllegalArgumentException("driftShare " + driftShare + " is not between 0 and " + MAX_DRIFT_SHARE
                    + ": 0.01 is customary, 0.08 covers a clock that chrony slews");
        }
        Require.that(nodeTimeout.toMillis() >= 1, "nodeTimeout", nodeTimeout, "is below 1 ms", "give at least 1 ms");
        Require.that(retryDelay.toMillis() >= 1, "retryDelay", retryDelay, "is below 1 ms", "give at least 1 ms");
        Require.that(
                retryDelayLimit.compareTo(retryDelay) >= 0,
                "retryDelayLimit",
                retryDelayLimit,
                "is shorter than the retryDelay of " + retryDelay,
                "raise it");
        Duration usable = lease.minus(new Drift(driftShare).of(lease)).minus(marginOf(lease));
        Require.that(
                nodeTimeout.compareTo(usable) < 0,
                "nodeTimeout",
                nodeTimeout,
                "leaves nothing of a lease of " + lease + " once drift and margin are taken off",
                "shorten nodeTimeout or lengthen the lease");
    }

    public LockOptions withWaitLimit(Duration newWaitLimit) {
        return new LockOptions(
                newWaitLimit,
                unreachableLimit,
                lease,
                renewal,
                holdLimit,
                driftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withUnreachableLimit(Duration newUnreachableLimit) {
        return new LockOptions(
                waitLimit,
                newUnreachableLimit,
                lease,
                renewal,
                holdLimit,
                driftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    /** Another lease, and the node timeout that goes with it: a tenth of the lease, 50 ms at most. */
    public LockOptions withLease(Duration newLease) {
        Duration share = Durations.shorter(MAX_NODE_TIMEOUT, Durations.part(newLease, NODE_TIMEOUTS_PER_LEASE));
        Duration derived = Durations.longer(Duration.ofMillis(1), share);
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                newLease,
                renewal,
                holdLimit,
                driftShare,
                derived,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withRenewal(boolean newRenewal) {
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                lease,
                newRenewal,
                holdLimit,
                driftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withHoldLimit(Duration newHoldLimit) {
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                lease,
                renewal,
                newHoldLimit,
                driftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withDriftShare(double newDriftShare) {
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                lease,
                renewal,
                holdLimit,
                newDriftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withNodeTimeout(Duration newNodeTimeout) {
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                lease,
                renewal,
                holdLimit,
                driftShare,
                newNodeTimeout,
                retryDelay,
                retryDelayLimit,
                fair);
    }

    public LockOptions withRetryDelays(Duration first, Duration limit) {
        return new LockOptions(
                waitLimit, unreachableLimit, lease, renewal, holdLimit, driftShare, nodeTimeout, first, limit, fair);
    }

    public LockOptions withFair(boolean newFair) {
        return new LockOptions(
                waitLimit,
                unreachableLimit,
                lease,
                renewal,
                holdLimit,
                driftShare,
                nodeTimeout,
                retryDelay,
                retryDelayLimit,
                newFair);
    }

    /** How long before the end of its validity a lease is declared lost: a twentieth of the lease, 1 s at most. */
    public Duration margin() {
        return marginOf(lease);
    }

    Terms terms(Access access) {
        return new Terms(
                lease,
                new Drift(driftShare),
                margin(),
                nodeTimeout,
                new RetryDelays(retryDelay, retryDelayLimit),
                fair,
                access);
    }

    Patience patience() {
        return new Patience(waitLimit, unreachableLimit);
    }

    private static Duration marginOf(Duration lease) {
        return Durations.shorter(MAX_MARGIN, Durations.part(lease, MARGINS_PER_LEASE));
    }
}
