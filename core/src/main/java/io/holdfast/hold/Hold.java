package io.holdfast.hold;

import io.holdfast.acquire.Grant;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A granted lock until it is released or lost. A local timer declares the loss a margin before the validity ends,
 * without the network. {@link #state} and {@link #remaining} do the same, so that a late timer misleads no caller.
 *
 * <p>Thread-safe: the state and the limit are immutable objects, which are replaced under the monitor of this object.
 */
public final class Hold {

    final HoldRegistry holds;
    private volatile Claim held;
    final AttemptTrace trace;
    private final LockParameters parameters;
    private final Renewal renewal;
    private final long grantedNanos;
    final long begunNanos;
    private @Nullable CompletableFuture<Loss> lost;
    volatile HoldState current;
    volatile HoldLimit limit;
    volatile boolean ownerIsKnown;

    Hold(HoldRegistry holds, Grant grant, Duration holdLimit) {
        this.holds = holds;
        this.held = grant.claim();
        this.trace = grant.trace();
        this.parameters = grant.parameters();
        this.renewal = new Renewal(this);
        this.grantedNanos = grant.grantedNanos();
        this.begunNanos = group().now().nanos();
        this.current = HoldState.held(grant.validity());
        this.limit = HoldLimit.of(
                grant.origin() == Grant.Origin.LEASE
                        ? group().now()
                        : grant.validity().from(),
                holdLimit);
        this.ownerIsKnown = grant.origin() == Grant.Origin.PROCESS;
    }

    /** Starts the watch for the loss, and the renewals if they are wanted. */
    void begin(boolean renewed) {
        renewal.start(renewed, current.validity(), grantedNanos);
    }

    /** Fires the timer if it should have fired while the machine was suspended. */
    void resumeAfter(Duration suspended) {
        renewal.resumeAfter(suspended);
    }

    /** Returns the claim of the lease, which is shared after a downgrade. */
    public Claim claim() {
        return held;
    }

    /** Returns the parameters with which the lock was acquired. */
    public LockParameters parameters() {
        return parameters;
    }

    /** Returns the state, after declaring a loss that is due. */
    public LeaseState state() {
        expireIfDue();
        return current.state();
    }

    /** Returns {@code true} if the hold has not ended, after declaring a loss that is due. */
    public boolean isHeld() {
        return state().isValid();
    }

    /** Returns the time for which the hold may be relied on, zero after its end; declares a loss that is due. */
    public Duration remaining() {
        expireIfDue();
        HoldState now = current;
        Duration left = limit.left(now.validity(), group().now());
        return now.state().isValid() && !left.isNegative() ? left : Duration.ZERO;
    }

    /** Returns the future of the loss. It never completes if the hold is released; its thread must not be blocked. */
    public synchronized CompletableFuture<Loss> lost() {
        lost = Objects.requireNonNullElseGet(lost, CompletableFuture::new);
        return lost;
    }

    /** Returns the time since the hold began. */
    Duration heldFor() {
        return Duration.ofNanos(group().now().nanos() - begunNanos);
    }

    /** Returns {@code true} if the hold was released or declared lost; does not declare a loss itself. */
    boolean isOver() {
        return !current.state().isValid();
    }

    /** Returns the longest possible extension from now: the rest of {@code holdLimit}. */
    public Duration extensible() {
        return limit.left(group().now());
    }

    /** Replaces the hold limit by one that counts from now. Returns {@code false} if the hold has ended. */
    public boolean limit(Duration fromNow) {
        if (!isHeld()) {
            return false;
        }
        renewal.limitMoved(moveLimit(fromNow));
        return true;
    }

    /** Returns {@code true} if the limit before had been reached. */
    private synchronized boolean moveLimit(Duration fromNow) {
        HoldLimit before = limit;
        limit = HoldLimit.of(group().now(), fromNow);
        return before.isReached();
    }

    /** Records the last request that this limit allows; {@code false} if another one has replaced it. */
    synchronized boolean reachLimit(HoldLimit seen) {
        HoldLimit present = limit;
        limit = present.equals(seen) ? seen.reached() : present;
        return present.equals(seen);
    }

    /** Extends the lock to this time from now. A confirmation after the validity is neither used nor awaited. */
    public CompletableFuture<Extension> extend(Duration ttl) {
        if (!isHeld()) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        Claim extension = claim().extend(ttl);
        Duration nodeTimeout = Durations.shorter(parameters.nodeTimeout(), leftToLoss());
        return new ExtensionRound(this, extension, group().ask(extension, nodeTimeout)).result();
    }

    /** Downgrades to shared. Nodes that do not answer are converted by later renewals. */
    public CompletableFuture<Extension> downgrade() {
        expireIfDue();
        Claim exclusive = toShared();
        if (exclusive == null) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        holds.localWaiters().downgraded(exclusive, held);
        if (isOver()) {
            // A concurrent release has ended the shared claim before the queue knew of it.
            holds.localWaiters().ended(held);
        }
        return extend(limit.shorten(parameters.ttl(), group().now()));
    }

    /**
     * Makes the claim shared and returns the exclusive one, or null if the hold has ended. The claim changes only while
     * the hold is valid. So a release carries the shared claim if any node may have downgraded; an exclusive release
     * would leave the shared hold there.
     */
    private synchronized @Nullable Claim toShared() {
        Claim before = current.state().isValid() ? held : null;
        held = before == null ? held : before.withMode(LockMode.SHARED);
        return before;
    }

    /**
     * Releases the lock on all nodes, in the background if a node is slow, or hands it over to a waiter of this client.
     * The nodes retain it for {@code keep}, unless that is zero. A lost hold is cleaned up, unless another process may
     * hold the lock. For a detached hold nothing is sent, since the lock belongs to another process.
     */
    public CompletableFuture<ReleaseOutcome> release(Duration keep) {
        expireIfDue();
        HoldState last = become(keep.isZero() ? HoldState::released : HoldState::retained);
        if (last == null) {
            return current.state() == LeaseState.LOST && !ownerIsKnown
                    ? removeFromNodes().thenApply(answered -> ReleaseOutcome.NOT_HELD)
                    : CompletableFuture.completedFuture(ReleaseOutcome.NOT_HELD);
        }
        try {
            return release(last, keep);
        } finally {
            // After the release is sent, since a waiter may contend at once; also after an error of this thread.
            end(last);
        }
    }

    private CompletableFuture<ReleaseOutcome> release(HoldState last, Duration keep) {
        holds.report(this, false, null);
        Grant grant = new Grant(held, trace, last.validity(), parameters, grantedNanos);
        // The next lease would have the same owner, with which another process may hold the lock as well.
        if (keep.isZero() && !ownerIsKnown && holds.localWaiters().handOver(grant)) {
            return CompletableFuture.completedFuture(ReleaseOutcome.RELEASED);
        }
        return holds.localWaiters().release(grant, keep).settled().thenApply(Outcome::released);
    }

    /** Lets the timer release the hold, for a caller that has no room on its stack. */
    public void releaseLater(Duration keep) {
        renewal.releaseLater(keep);
    }

    private CompletableFuture<Outcome> removeFromNodes() {
        return group().release(claim().release(), UnaryOperator.identity(), trace, parameters.nodeTimeout())
                .settled();
    }

    /** Ends the hold because its client closes, and removes the lock from the nodes even if a release is under way. */
    void close() {
        lose(LossReason.CLOSED);
        if (current.rest() == HoldState.Rest.REMOVED) {
            removeFromNodes();
        }
    }

    /** Ends the hold here and leaves the lock on the nodes, for the process that attaches it; false if it had ended. */
    public boolean detach() {
        return isHeld() && revealOwner() && move(HoldState::detached);
    }

    /**
     * Records that another process may know the owner, so that no other lease of this process takes it over. Extends
     * the short lease of a standing claim, which would not suffice for that process.
     *
     * @return false if the lock has been released, so that the owner may already belong to another lease
     */
    public boolean revealOwner() {
        if (current.validity().isOfStandingClaim(parameters)) {
            group().track(() -> extend(limit.shorten(parameters.ttl(), group().now())));
        }
        synchronized (this) {
            return ownerIsKnown |= current.state() != LeaseState.RELEASED;
        }
    }

    /** Declares the hold lost; has no effect after its end. */
    public void lose(LossReason reason) {
        move(was -> was.lost(reason));
    }

    /** Declares the hold lost if its validity, less the margin, is over. */
    void expireIfDue() {
        if (leftToLoss().compareTo(Duration.ZERO) <= 0) {
            move(was -> was.expired(limit, group().now()));
        }
    }

    /** Returns the time until the loss is declared if no extension is confirmed before. */
    Duration leftToLoss() {
        return limit.left(current.validity(), group().now()).minus(parameters.margin());
    }

    /** Takes a step and publishes the end if that has ended the hold; returns {@code true} in that case. */
    boolean move(UnaryOperator<HoldState> step) {
        HoldState last = become(step);
        if (last != null) {
            end(last);
        }
        return last != null;
    }

    /** Takes a step; returns the new state if that has ended the hold, so that the caller publishes the end. */
    private synchronized @Nullable HoldState become(UnaryOperator<HoldState> step) {
        HoldState was = current;
        current = step.apply(was);
        return was.state() == current.state() || current.state().isValid() ? null : current;
    }

    private void end(HoldState last) {
        renewal.cancel();
        Loss loss = null;
        LossReason reason = last.reason();
        if (reason != null) {
            Duration left = limit.left(last.validity(), group().now());
            loss = new Loss(held.name(), reason, left.isNegative() ? left.negated() : Duration.ZERO);
            lost().complete(loss);
        }
        holds.ended(this, last, loss);
    }

    private NodeGroup group() {
        return holds.group();
    }
}
