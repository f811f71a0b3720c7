package io.holdfast.quorum;

import io.holdfast.event.LeaseState;
import io.holdfast.event.Loss;
import io.holdfast.event.LossReason;
import io.holdfast.node.Access;
import io.holdfast.node.Claim;
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
 * <p>Thread-safe: all that changes is one immutable {@link Standing}, replaced in one place.
 */
public final class Hold {

    private final Holds holds;
    private volatile Claim claim;
    private final Trail trail;
    private final Terms terms;
    private final Duration holdLimit;
    private final Renewal renewal;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();
    private volatile Standing standing;
    private volatile boolean limited;
    private volatile boolean ownerIsKnown;

    Hold(Holds holds, Result.Grant grant, Duration holdLimit) {
        this.holds = holds;
        this.claim = grant.claim();
        this.trail = grant.trail();
        this.terms = grant.terms();
        this.holdLimit = holdLimit;
        this.renewal = new Renewal(holds, this);
        this.standing = Standing.held(grant.validity());
        this.ownerIsKnown = grant.ownerIsKnown();
    }

    /** What became of an extension. */
    public enum Extension {
        /** A majority keeps the lock for the time asked for. */
        CONFIRMED,
        /** Too few nodes confirmed it; the validity is what it was, and another try may succeed. */
        UNCONFIRMED,
        /** So many nodes deny the lock to this owner that the hold is lost; or it had ended before. */
        ENDED
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

    public Terms terms() {
        return terms;
    }

    /** The state now; a hold whose time is over is lost by being looked at. */
    public LeaseState state() {
        check();
        return standing.state();
    }

    /** How long the hold may be relied on from now, zero once it has ended. */
    public Duration remaining() {
        check();
        Standing now = standing;
        Duration left = now.validity().left(time().now());
        return now.state().isLive() && !left.isNegative() ? left : Duration.ZERO;
    }

    /** Completes, once, when the hold is lost; never when it is released. On a thread that must not be blocked. */
    public CompletableFuture<Loss> lost() {
        return lost;
    }

    /** Whether it was released, or is known to be lost. */
    boolean isOver() {
        return !standing.state().isLive();
    }

    /** How much longer the hold may be made, counted from now: what {@code holdLimit} leaves of the time since the grant. */
    public Duration extensible() {
        return holdLimit.minus(time().now().since(trail.begun()));
    }

    /** Renewal can do no more: {@code holdLimit} is why the hold will end. */
    void limited() {
        limited = true;
    }

    /**
     * Asks for the lock to last this long from now. A confirmation that comes after the validity has ended is of no use:
     * the loss stands.
     */
    public CompletableFuture<Extension> extend(Duration ttl) {
        if (!state().isLive()) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        Claim extension = claim.extend(ttl);
        Round round = quorum().ask(extension, terms.nodeTimeout());
        return round.settled().thenApply(outcome -> extended(round, extension, outcome));
    }

    /** Downgrades to shared. Nodes that do not answer are converted by later renewals. */
    public CompletableFuture<Extension> share() {
        check();
        Claim exclusive = toShared();
        if (exclusive == null) {
            return CompletableFuture.completedFuture(Extension.ENDED);
        }
        holds.contenders().opened(exclusive, claim);
        if (isOver()) {
            // A release in between has ended the shared claim, of which the queue did not know yet.
            holds.contenders().ended(claim);
        }
        return extend(Durations.longer(Duration.ofMillis(1), Durations.shorter(terms.ttl(), extensible())));
    }

    /**
     * Returns the claim before, null if the hold has ended. The claim changes only while the hold is live: so a release carries the
     * shared claim if any node may have been asked to share, and an exclusive release would leave that share behind.
     */
    private synchronized @Nullable Claim toShared() {
        Claim before = claim;
        if (!standing.state().isLive()) {
            return null;
        }
        claim = before.withAccess(Access.SHARED);
        return before;
    }

    /** What the answers to a claim for more time mean. */
    Extension extended(Round round, Claim extension, Outcome outcome) {
        check();
        // Asked for alone, and since then shared: that it is not held alone any more denies nothing.
        boolean outdated = extension.access() != claim.access();
        if (outcome.tally().isDenied() && !outdated) {
            lose(outcome.freeIn().filter(left -> !left.isZero()).isPresent() ? LossReason.TAKEN : LossReason.EXPIRED);
            return Extension.ENDED;
        }
        Moment now = time().now();
        Validity confirmed = Validity.of(round.begun(), extension.ttl(), terms.drift());
        boolean granted =
                outcome.verdict() == Verdict.GRANTED && confirmed.left(now).compareTo(Duration.ZERO) > 0;
        move(granted ? was -> was.extended(confirmed, now) : Standing::doubted);
        if (!standing.state().isLive()) {
            return Extension.ENDED;
        }
        if (granted) {
            new Repair(quorum().nodes(), time(), extension, round.begun(), trail, () -> state().isLive()).follow(round);
        }
        return granted ? Extension.CONFIRMED : Extension.UNCONFIRMED;
    }

    /**
     * Releases the lock on all nodes, in the background where a node is slow, or hands it over to a waiter of this process. A lost hold
     * is cleaned up. Where the hold was detached, nothing is sent: the lock is another's.
     */
    public CompletableFuture<Ending> release() {
        check();
        Standing last = become(Standing::released);
        if (last == null) {
            return standing.state() == LeaseState.LOST
                    ? removeFromNodes().thenApply(answered -> Ending.NOT_HELD)
                    : CompletableFuture.completedFuture(Ending.NOT_HELD);
        }
        Result.Grant grant = new Result.Grant(claim, trail, last.validity(), terms);
        // The next lease would have the same owner, by which a process that has the handle holds the lock, too.
        if (!ownerIsKnown && holds.contenders().handOver(grant)) {
            end(last);
            return CompletableFuture.completedFuture(Ending.RELEASED);
        }
        // It is sent before anybody learns of the end, who might want the lock.
        CompletableFuture<Outcome> outcome = holds.contenders().giveUp(grant).settled();
        end(last);
        return outcome.thenApply(Ending::of);
    }

    private CompletableFuture<Outcome> removeFromNodes() {
        return quorum().release(claim, trail, terms.nodeTimeout()).settled();
    }

    /** Ends the hold since its client closes, and removes the lock from the nodes also if a release has only begun. */
    void close() {
        lose(LossReason.CLOSED);
        if (!standing.detached()) {
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
        return revealOwner() && move(Standing::handedOn);
    }

    /**
     * Notes that another process may get to know the owner, so that no other lease of this process takes it over.
     *
     * @return false if the lock has been released, and the owner may be another lease's by now
     */
    public synchronized boolean revealOwner() {
        ownerIsKnown |= standing.state() != LeaseState.RELEASED;
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

    private LossReason reasonOfEnd(Standing was) {
        if (was.state() == LeaseState.UNCERTAIN) {
            return LossReason.QUORUM_UNREACHABLE;
        }
        return limited ? LossReason.HOLD_LIMIT : LossReason.EXPIRED;
    }

    /** How long until the loss is told, if nothing is confirmed before. */
    Duration leftToLoss() {
        return standing.validity().left(time().now()).minus(terms.margin());
    }

    /** Takes a step, and tells it if that has ended the hold; returns whether it has. */
    private boolean move(UnaryOperator<Standing> step) {
        Standing last = become(step);
        if (last != null) {
            end(last);
        }
        return last != null;
    }

    /** Takes a step; returns the standing if that has ended the hold, which then has to be told. */
    private synchronized @Nullable Standing become(UnaryOperator<Standing> step) {
        Standing was = standing;
        standing = step.apply(was);
        return was.state() == standing.state() || standing.state().isLive() ? null : standing;
    }

    private void end(Standing last) {
        renewal.cancel();
        Loss loss = null;
        LossReason reason = last.reason();
        if (reason != null) {
            Duration left = last.validity().left(time().now());
            loss = new Loss(claim.resource(), reason, left.isNegative() ? left.negated() : Duration.ZERO);
            lost.complete(loss);
        }
        holds.ended(this, loss);
    }

    private Quorum quorum() {
        return holds.quorum();
    }

    private Time time() {
        return quorum().time();
    }
}
