package io.holdfast;

import io.holdfast.acquire.WaitLimit;
import io.holdfast.client.LockRequest;
import io.holdfast.lease.LockMode;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodePatience;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock: how long to wait for it, and how to hold it.
 *
 * <p>A {@link #builder} collects the values, and checks them and their relations in {@link LockOptionsBuilder#build}.
 * Immutable and thread-safe.
 */
public final class LockOptions {

    /**
     * A limit that is never reached: 100 years. Longer durations are treated as this one. For wait limits and hold
     * limits only: a lease is at most {@link HoldfastOptions#maxLease}, 1 min by default, and renewal makes a hold as
     * long as needed. A wait without a limit still fails if {@linkplain LockOptionsBuilder#waitLimit only an
     * administrator} can end it.
     */
    public static final Duration FOREVER = Durations.FOREVER;

    /**
     * The greatest value that {@link HoldfastOptions#maxLease} can have: 24 h. By default {@code maxLease} is 1 min,
     * and a client rejects longer leases. With renewal, a short lease holds a lock for any time.
     */
    public static final Duration MAX_LEASE = Duration.ofHours(24);

    private static final Duration MAX_MARGIN = Duration.ofSeconds(1);
    private static final int MARGINS_PER_LEASE = 20;
    private static final double MAX_DRIFT_SHARE = 0.5;

    /**
     * The defaults: wait up to 30 s, a lease of 30 s with renewal, no hold limit, 1 % drift, half a second for a round.
     */
    public static final LockOptions DEFAULT = builder().build();

    private final LockOptionsBuilder values;
    private final NodePatience patience;

    LockOptions(LockOptionsBuilder values) {
        this.values = values;
        requireWaitLimit();
        requireLease();
        requireDelays();
        Duration timeout = values.nodeTimeout;
        this.patience = timeout == null ? NodePatience.of(values.lease, usable()) : given(timeout);
    }

    /** Returns a builder with the default values. */
    public static LockOptionsBuilder builder() {
        return new LockOptionsBuilder();
    }

    /**
     * Returns a builder with the values of these options. A value that was derived from others, and not set, is derived
     * again.
     */
    public LockOptionsBuilder toBuilder() {
        return values.copy();
    }

    private void requireWaitLimit() {
        OptionChecks.that(
                !values.waitLimit.isNegative(),
                "waitLimit",
                values.waitLimit,
                "is negative",
                "give zero to not wait, or a duration");
    }

    private void requireLease() {
        Duration lease = values.lease;
        OptionChecks.lease("lease", lease);
        if (values.holdLimit.compareTo(lease) < 0) {
            throw OptionChecks.failure(
                    "holdLimit",
                    values.holdLimit,
                    "is shorter than the lease of " + lease,
                    "raise holdLimit or shorten the lease");
        }
        double drift = values.driftShare;
        if (!(drift >= 0 && drift <= MAX_DRIFT_SHARE)) {
            throw new IllegalArgumentException("driftShare " + drift + " is not between 0 and " + MAX_DRIFT_SHARE
                    + ": 0.01 is customary, 0.08 covers a clock that chrony slews");
        }
    }

    private void requireDelays() {
        requireMillisecond("retryDelay", values.retryDelay);
        if (values.retryDelayLimit.compareTo(values.retryDelay) < 0) {
            throw OptionChecks.failure(
                    "retryDelayLimit",
                    values.retryDelayLimit,
                    "is shorter than the retryDelay of " + values.retryDelay,
                    "raise it");
        }
    }

    private NodePatience given(Duration nodeTimeout) {
        requireMillisecond("nodeTimeout", nodeTimeout);
        if (nodeTimeout.compareTo(usable()) >= 0) {
            throw OptionChecks.failure(
                    "nodeTimeout",
                    nodeTimeout,
                    "leaves nothing of a lease of " + values.lease + " once drift and margin are taken off",
                    "shorten nodeTimeout or lengthen the lease");
        }
        return NodePatience.exactly(nodeTimeout);
    }

    /** Returns the part of the lease that is left after drift and margin. */
    private Duration usable() {
        Duration lease = values.lease;
        return lease.minus(new Drift(values.driftShare).of(lease)).minus(margin());
    }

    private static void requireMillisecond(String name, Duration value) {
        OptionChecks.that(
                value.compareTo(Duration.ofMillis(1)) >= 0, name, value, "is below 1 ms", "give at least 1 ms");
    }

    /** Returns the longest wait of an acquisition, for a holder as well as for nodes; zero: it does not wait. */
    public Duration waitLimit() {
        return values.waitLimit;
    }

    /** Returns the time for which the nodes keep the lock without a renewal. */
    public Duration lease() {
        return values.lease;
    }

    /** Returns {@code true} if the lease is renewed, every third of it, until it is released. */
    public boolean renewal() {
        return values.renewal;
    }

    /** Returns the longest time that a lease is held, renewals and extensions included. */
    public Duration holdLimit() {
        return values.holdLimit;
    }

    /** Returns the share of the lease that is given to clock drift; another 2 ms are always added. */
    public double driftShare() {
        return values.driftShare;
    }

    /** Returns the longest time that a round waits for the nodes; see {@link LockOptionsBuilder#nodeTimeout}. */
    public Duration nodeTimeout() {
        return patience.nodeTimeout();
    }

    /** Returns the greatest random delay after the first failed attempt. */
    public Duration retryDelay() {
        return values.retryDelay;
    }

    /** Returns the greatest random delay after any failed attempt. */
    public Duration retryDelayLimit() {
        return values.retryDelayLimit;
    }

    /** Returns {@code true} if waiters are served strictly in the order of their requests. */
    public boolean fair() {
        return values.fair;
    }

    /**
     * Returns the time by which the report of a loss precedes the end of the validity: a twentieth of the lease, at
     * most 1 s.
     */
    public Duration margin() {
        return Durations.shorter(MAX_MARGIN, Durations.part(values.lease, MARGINS_PER_LEASE));
    }

    private LockParameters parameters(LockMode mode) {
        return new LockParameters(
                values.lease,
                new Drift(values.driftShare),
                margin(),
                patience,
                new Backoff(values.retryDelay, values.retryDelayLimit),
                values.fair,
                mode);
    }

    LockRequest request(String resource, LockMode mode, @Nullable Moment begun) {
        return new LockRequest(resource, parameters(mode), new WaitLimit(waitLimit()), holdLimit(), renewal(), begun);
    }

    private List<Object> components() {
        return List.of(
                waitLimit(),
                lease(),
                renewal(),
                holdLimit(),
                driftShare(),
                patience,
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
        return "LockOptions[wait " + waitLimit() + ", lease " + lease()
                + (renewal() ? ", renewed" : ", not renewed") + ", hold " + holdLimit() + ", drift " + driftShare()
                + ", node timeout " + nodeTimeout() + ", retry " + retryDelay() + " to " + retryDelayLimit()
                + (fair() ? ", fair]" : "]");
    }
}
