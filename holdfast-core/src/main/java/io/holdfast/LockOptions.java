package io.holdfast;

import io.holdfast.acquire.WaitLimits;
import io.holdfast.lease.LockMode;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.LockParameters;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a lock is waited for and held. Immutable and thread-safe.
 *
 * <p>Made by a {@link #builder}, which checks all values and their relations once, in {@link LockOptionsBuilder#build}; the order of its calls is of
 * no meaning.
 */
public final class LockOptions {

    /** A bound that is never reached: 100 years. A longer duration counts as this one. */
    public static final Duration FOREVER = Duration.ofDays(36_525);

    /** The longest lease that can be asked for. With renewal, a short lease holds a lock for as long as you like. */
    public static final Duration MAX_LEASE = Duration.ofHours(24);

    private static final Duration MAX_NODE_TIMEOUT = Duration.ofMillis(50);
    private static final Duration MAX_MARGIN = Duration.ofSeconds(1);
    private static final int NODE_TIMEOUTS_PER_LEASE = 10;
    private static final int MARGINS_PER_LEASE = 20;
    private static final double MAX_DRIFT_SHARE = 0.5;
    private static final int MOST_SPLIT_VOTES = 10;

    /** Wait up to 30 s, lease of 30 s with renewal, no bound on the hold, 1 % drift, nodes answer within 50 ms. */
    public static final LockOptions DEFAULT = builder().build();

    private final LockOptionsBuilder values;
    private final Duration unreachableLimit;
    private final Duration nodeTimeout;

    LockOptions(LockOptionsBuilder values) {
        this.values = values;
        Duration unreachable = values.unreachableLimit;
        this.unreachableLimit = unreachable == null ? values.waitLimit : unreachable;
        Duration timeout = values.nodeTimeout;
        this.nodeTimeout = timeout == null ? nodeTimeoutOf(values.lease) : timeout;
        requireLimits();
        requireLease();
        requireDelays();
    }

    /** Options that are all at their defaults, to be changed. */
    public static LockOptionsBuilder builder() {
        return new LockOptionsBuilder();
    }

    /** A copy of these options, to be changed. What is derived from other values, and was not set, is derived again. */
    public LockOptionsBuilder toBuilder() {
        return values.copy();
    }

    private void requireLimits() {
        OptionChecks.that(
                !values.waitLimit.isNegative(),
                "waitLimit",
                values.waitLimit,
                "is negative",
                "give zero for a single attempt, or a duration");
        OptionChecks.that(
                !unreachableLimit.isNegative(),
                "unreachableLimit",
                unreachableLimit,
                "is negative",
                "give zero or a duration");
    }

    private void requireLease() {
        Duration lease = values.lease;
        OptionChecks.lease("lease", lease);
        OptionChecks.that(
                values.holdLimit.compareTo(lease) >= 0,
                "holdLimit",
                values.holdLimit,
                "is shorter than the lease of " + lease,
                "raise holdLimit or shorten the lease");
        double drift = values.driftShare;
        if (!(drift >= 0 && drift <= MAX_DRIFT_SHARE)) {
            throw new IllegalArgumentException("driftShare " + drift + " is not between 0 and " + MAX_DRIFT_SHARE
                    + ": 0.01 is customary, 0.08 covers a clock that chrony slews");
        }
    }

    private void requireDelays() {
        requireMillisecond("nodeTimeout", nodeTimeout);
        requireMillisecond("retryDelay", values.retryDelay);
        OptionChecks.that(
                values.retryDelayLimit.compareTo(values.retryDelay) >= 0,
                "retryDelayLimit",
                values.retryDelayLimit,
                "is shorter than the retryDelay of " + values.retryDelay,
                "raise it");
        Duration lease = values.lease;
        Duration usable = lease.minus(new Drift(values.driftShare).of(lease)).minus(margin());
        OptionChecks.that(
                nodeTimeout.compareTo(usable) < 0,
                "nodeTimeout",
                nodeTimeout,
                "leaves nothing of a lease of " + lease + " once drift and margin are taken off",
                "shorten nodeTimeout or lengthen the lease");
    }

    private static void requireMillisecond(String name, Duration value) {
        OptionChecks.that(
                value.compareTo(Duration.ofMillis(1)) >= 0, name, value, "is below 1 ms", "give at least 1 ms");
    }

    private static Duration nodeTimeoutOf(Duration lease) {
        Duration share = Durations.shorter(MAX_NODE_TIMEOUT, Durations.part(lease, NODE_TIMEOUTS_PER_LEASE));
        return Durations.longer(Duration.ofMillis(1), share);
    }

    /** The time that {@code acquire} waits in all while another holds the lock; zero: it does not wait for a holder. */
    public Duration waitLimit() {
        return values.waitLimit;
    }

    /** The time that {@code acquire} goes on while too few nodes answer; {@link #waitLimit} if it was not set. */
    public Duration unreachableLimit() {
        return unreachableLimit;
    }

    /** The time that the nodes keep the lock without a renewal. */
    public Duration lease() {
        return values.lease;
    }

    /** Whether the lease is renewed, every third of it, until it is released. */
    public boolean renewal() {
        return values.renewal;
    }

    /** The longest that a lease is held in all, renewals and extensions included. */
    public Duration holdLimit() {
        return values.holdLimit;
    }

    /** The share of the lease that is not relied on because the nodes' clocks may run faster than ours; 2 ms come on top. */
    public double driftShare() {
        return values.driftShare;
    }

    /** The time that one round waits for a node. */
    public Duration nodeTimeout() {
        return nodeTimeout;
    }

    /** The greatest random delay after the first failed attempt. */
    public Duration retryDelay() {
        return values.retryDelay;
    }

    /** The greatest random delay after any failed attempt. */
    public Duration retryDelayLimit() {
        return values.retryDelayLimit;
    }

    /** Whether waiters are served strictly in the order in which they came. */
    public boolean fair() {
        return values.fair;
    }

    /** These options with another {@link LockOptionsBuilder#waitLimit}. */
    public LockOptions withWaitLimit(Duration limit) {
        return toBuilder().waitLimit(limit).build();
    }

    /** These options with another {@link LockOptionsBuilder#unreachableLimit}. */
    public LockOptions withUnreachableLimit(Duration limit) {
        return toBuilder().unreachableLimit(limit).build();
    }

    /** These options with another {@link LockOptionsBuilder#lease}. */
    public LockOptions withLease(Duration lease) {
        return toBuilder().lease(lease).build();
    }

    /** These options with another {@link LockOptionsBuilder#renewal}. */
    public LockOptions withRenewal(boolean renewal) {
        return toBuilder().renewal(renewal).build();
    }

    /** These options with another {@link LockOptionsBuilder#holdLimit}. */
    public LockOptions withHoldLimit(Duration limit) {
        return toBuilder().holdLimit(limit).build();
    }

    /** These options with another {@link LockOptionsBuilder#driftShare}. */
    public LockOptions withDriftShare(double share) {
        return toBuilder().driftShare(share).build();
    }

    /** These options with another {@link LockOptionsBuilder#nodeTimeout}. */
    public LockOptions withNodeTimeout(Duration timeout) {
        return toBuilder().nodeTimeout(timeout).build();
    }

    /** These options with other {@link LockOptionsBuilder#retryDelays}. */
    public LockOptions withRetryDelays(Duration first, Duration limit) {
        return toBuilder().retryDelays(first, limit).build();
    }

    /** These options with another {@link LockOptionsBuilder#fair}. */
    public LockOptions withFair(boolean fair) {
        return toBuilder().fair(fair).build();
    }

    /** The time before the end of its validity at which a lease is declared lost: a twentieth of the lease, 1 s at most. */
    public Duration margin() {
        return Durations.shorter(MAX_MARGIN, Durations.part(values.lease, MARGINS_PER_LEASE));
    }

    LockParameters parameters(LockMode mode) {
        return new LockParameters(
                values.lease,
                new Drift(values.driftShare),
                margin(),
                nodeTimeout,
                new Backoff(values.retryDelay, values.retryDelayLimit),
                values.fair,
                mode);
    }

    WaitLimits waitLimits() {
        return new WaitLimits(waitLimit(), unreachableLimit, waitLimit().isZero() ? MOST_SPLIT_VOTES : 0);
    }

    private List<Object> components() {
        return List.of(
                waitLimit(),
                unreachableLimit,
                lease(),
                renewal(),
                holdLimit(),
                driftShare(),
                nodeTimeout,
                retryDelay(),
                retryDelayLimit(),
                fair());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions options && components().equals(options.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "LockOptions[wait " + waitLimit() + ", unreachable " + unreachableLimit + ", lease " + lease()
                + (renewal() ? ", renewed" : ", not renewed") + ", hold " + holdLimit() + ", drift " + driftShare()
                + ", node timeout " + nodeTimeout + ", retry " + retryDelay() + " to " + retryDelayLimit()
                + (fair() ? ", fair]" : "]");
    }
}
