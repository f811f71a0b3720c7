package io.holdfast.hold;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A granted lock until it is released or lost. A local timer declares the loss a margin before the validity ends, whatever
 * the network does; every look at the state does the same, so that a timer that comes late deceives nobody.
 *
 * <p>Thread-safe: all that changes is one immutable {@link HoldState}, replaced in one place.
 */
public final class Hold {

    private final HoldRegistry holds;
    private volatile Claim claim;
    private final AttemptTrace trace;
    private final LockParameters parameters;
    final HoldLimit limit;
    private final Renewal renewal;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();
    private volatile HoldState current;
    private volatile boolean ownerIsKnown;

    Hold(HoldRegistry holds, AcquireResult.Grant grant, Duration holdLimit) {
        this.holds = holds;
        this.claim = grant.claim();
        this.trace = grant.trace();
        this.parameters = grant.parameters();
        this.limit =
                new HoldLimit(trace.begun(), holdLimit, holds.group().time().now());
        this.renewal = new Renewal(holds, this);
        this.current = HoldState.held(grant.validity());
        this.ownerIsKnown = grant.ownerIsKnown();
    }

    /** Begins to be watched, and to be extended if that is wanted. */
    void begin(boolean renewed) {
        if (renewed) {
            renewal.start();
        } else {
            renewal.watch();
        }
    }

    /** Makes up for a time in which the timers did not run. */
    void resumeAfter(Duration suspended) {
        renewal.resumeAfter(suspended);
    }

    public Claim claim() {
        return claim;
    }

    public LockParameters parameters() {
        return parameters;
    }

    /** The state now; a hold whose time is over is lost by being looked at. */
    public LeaseState state() {
        check();
        return current.state();
    }

    /** How long the hold may be relied on from now, zero once it has ended. */
    public Duration remaining() {
        check();
        HoldState now = current;
        Duration left = limit.left(now.validity(), time().now());
        return now.state().isValid() && !left.isNegative() ? left : Duration.ZERO;
    }

    /** Completes, once, when the hold is lost; never when it is released. On a thread that must not be blocked. */
    public CompletableFuture<Loss> lost() {
        return lost;
    }

    /** Whether it was released, or is known to be lost. */
    boolean isOver() {
        return !current.state().isValid();
    }

    /** How much longer the hold may be made, counted from now: what {@code holdLimit} leaves of the time since the grant. */
    public Duration extensible() {
        return limit.left(time().now());
    }

    /** Replaces the hold limit by one that counts from now. Returns {@code false} if the hold has ended. */
    public boolean limit(Duration fromNow) {
        check();
        if (isOver()) {
            return false;
        }
        renewal.limitMoved(limit.move(time().now(), fromNow));
        return true;
    }

    /**
     * Asks for the lock to last this long from now. A confirmation that comes after the validity has ended is of no use:
     * the loss stands.
     */
    public CompletableFuture<Extension> extend(Duration ttl) {
        if (!state().isValid()) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        Claim extension = claim.extend(ttl);
        Round round = group().ask(extension, parameters.nodeTimeout());
        return round.settled().thenApply(outcome -> extended(round, extension, outcome));
    }

    /** Downgrades to shared. Nodes that do not answer are converted by later renewals. */
    public CompletableFuture<Extension> share() {
        check();
        Claim exclusive = toShared();
        if (exclusive == null) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        holds.localWaiters().downgraded(exclusive, claim);
        if (isOver()) {
            // A release in between has ended the shared claim, of which the queue did not know yet.
            holds.localWaiters().ended(claim);
        }
        return extend(Durations.longer(Duration.ofMillis(1), Durations.shorter(parameters.ttl(), extensible())));
    }

    /**
     * Returns the claim before, null if the hold has ended. The claim changes only while the hold is live: so a release carries the
     * shared claim if any node may have been asked to share, and an exclusive release would leave that share behind.
     */
    private synchronized @Nullable Claim toShared() {
        Claim before = claim;
        if (!current.state().isValid()) {
            return null;
        }
        claim = before.withMode(LockMode.SHARED);
        return before;
    }

    /** What the answers to a claim for more time mean. */
    Extension extended(Round round, Claim extension, Outcome outcome) {
        check();
        // Asked for alone, and since then shared: that it is not held alone any more denies nothing.
        boolean outdated = extension.mode() != claim.mode();
        if (outcome.tally().isDenied() && !outdated) {
            lose(outcome.freeIn().filter(left -> !left.isZero()).isPresent() ? LossReason.TAKEN : LossReason.EXPIRED);
            return Extension.ENDED;
        }
        Moment now = time().now();
        Validity confirmed = Validity.of(round.begun(), extension.ttl(), parameters.drift());
        boolean granted =
                outcome.verdict() == Verdict.GRANTED && confirmed.left(now).compareTo(Duration.ZERO) > 0;
        move(granted ? was -> was.extended(confirmed, now) : HoldState::doubted);
        if (!current.state().isValid()) {
            return Extension.ENDED;
        }
        holds.listener().renewed(this, granted);
        if (granted) {
            new Repair(group().nodes(), time(), extension, round.begun(), trace, () -> state().isValid()).follow(round);
        }
        return granted ? Extension.CONFIRMED : Extension.UNCONFIRMED;
    }

    /**
     * Releases the lock on all nodes, in the background where a node is slow, or hands it over to a waiter of this process. A lost hold
     * is cleaned up. Where the hold was detached, nothing is sent: the lock is another's.
     */
    public CompletableFuture<Ending> release() {
        check();
        HoldState last = become(HoldState::released);
        if (last == null) {
            return current.state() == LeaseState.LOST
                    ? removeFromNodes().thenApply(answered -> Ending.NOT_HELD)
                    : CompletableFuture.completedFuture(Ending.NOT_HELD);
        }
        holds.report(this, false, null);
        AcquireResult.Grant grant = new AcquireResult.Grant(claim, trace, last.validity(), parameters);
        // The next lease would have the same owner, by which a process that has the handle holds the lock, too.
        if (!ownerIsKnown && holds.localWaiters().handOver(grant)) {
            end(last);
            return CompletableFuture.completedFuture(Ending.RELEASED);
        }
        // It is sent before anybody learns of the end, who might want the lock.
        CompletableFuture<Outcome> outcome = holds.localWaiters().giveUp(grant).settled();
        end(last);
        return outcome.thenApply(Ending::of);
    }

    private CompletableFuture<Outcome> removeFromNodes() {
        return group().release(claim, trace, parameters.nodeTimeout()).settled();
    }

    /** Ends the hold since its client closes, and removes the lock from the nodes also if a release has only begun. */
    void close() {
        lose(LossReason.CLOSED);
        if (!current.detached()) {
            removeFromNodes();
        }
    }

    /**
     * Ends it here and leaves the lock on the nodes, for the process that resumes it. Nothing releases it from here afterwards.
     *
     * @return false if it had ended before
     */
    public boolean detach() {
        check();
        return revealOwner() && move(HoldState::handedOn);
    }

    /**
     * Notes that another process may get to know the owner, so that no other lease of this process takes it over.
     *
     * @return false if the lock has been released, and the owner may be another lease's by now
     */
    public synchronized boolean revealOwner() {
        ownerIsKnown |= current.state() != LeaseState.RELEASED;
        return ownerIsKnown;
    }

    /** Declares the hold lost unless it has ended; has no effect after that. */
    public void lose(LossReason reason) {
        move(was -> was.lost(reason));
    }

    /** Loses the hold if its time is over. */
    private void check() {
        if (leftToLoss().compareTo(Duration.ZERO) <= 0) {
            move(was -> was.lost(reasonOfEnd(was)));
        }
    }

    private LossReason reasonOfEnd(HoldState was) {
        if (limit.cuts(was.validity(), time().now())) {
            return LossReason.HOLD_LIMIT;
        }
        if (was.state() == LeaseState.UNCERTAIN) {
            return LossReason.QUORUM_UNREACHABLE;
        }
        return limit.isReached() ? LossReason.HOLD_LIMIT : LossReason.EXPIRED;
    }

    /** How long until the loss is told, if nothing is confirmed before. */
    Duration leftToLoss() {
        return limit.left(current.validity(), time().now()).minus(parameters.margin());
    }

    /** Takes a step, and tells it if that has ended the hold; returns whether it has. */
    private boolean move(UnaryOperator<HoldState> step) {
        HoldState last = become(step);
        if (last != null) {
            end(last);
        }
        return last != null;
    }

    /** Takes a step; returns the current if that has ended the hold, which then has to be told. */
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
            Duration left = limit.left(last.validity(), time().now());
            loss = new Loss(claim.resource(), reason, left.isNegative() ? left.negated() : Duration.ZERO);
            lost.complete(loss);
        }
        holds.ended(this, last.detached(), loss);
    }

    private NodeGroup group() {
        return holds.group();
    }

    private Time time() {
        return group().time();
    }
}
