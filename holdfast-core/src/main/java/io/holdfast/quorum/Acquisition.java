package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Attempts until one is granted, or until the caller's wait is over. Each attempt is one round with an owner and a fencing
 * token of its own, and one that is not granted in time is taken back everywhere before the next begins.
 *
 * <p>The first round is always seen to its end; the last one begins when the wait ends at the latest.
 */
public final class Acquisition {

    private final Quorum quorum;
    private final Proposals proposals;
    private final String resource;
    private final Terms terms;
    private final Patience patience;
    private final Time time;
    private final Moment begun;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private int attempts;
    private boolean staleBefore;
    private @Nullable Moment unreachableSince;
    private volatile Time.@Nullable Timer next;

    private Acquisition(Quorum quorum, Proposals proposals, String resource, Terms terms, Patience patience) {
        this.quorum = quorum;
        this.proposals = proposals;
        this.resource = resource;
        this.terms = terms;
        this.patience = patience;
        this.time = quorum.time();
        this.begun = time.now();
    }

    /** How an acquisition ends when nothing breaks. */
    public sealed interface Result {}

    /** The lock is held; the round is the one that granted it. */
    public record Grant(Claim claim, Round round, Validity validity) implements Result {}

    /** The lock could not be had within the wait; the outcome is that of the last round. */
    public record Refusal(Outcome outcome, int attempts, Duration waited) implements Result {

        /** Whether another owner was in the way; otherwise too few nodes answered, or too late. */
        public boolean isHeld() {
            return outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        }
    }

    /**
     * How long an acquisition goes on.
     *
     * @param whileHeld in all; zero: one round
     * @param whileUnreachable while too few nodes answer, other than for a quarantine, which ends by itself
     */
    public record Patience(Duration whileHeld, Duration whileUnreachable) {}

    /**
     * Begins the first attempt. Cancelling the future ends the acquisition: a round that is under way is taken back, so
     * nothing is left behind.
     */
    public static CompletableFuture<Result> start(
            Quorum quorum, Proposals proposals, String resource, Terms terms, Patience patience) {
        Acquisition acquisition = new Acquisition(quorum, proposals, resource, terms, patience);
        acquisition.attempt();
        acquisition.result.whenComplete((done, failure) -> acquisition.cancelNext());
        return acquisition.result;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        attempts++;
        Claim claim = Claim.acquire(resource, quorum.freshOwner(), terms.ttl(), proposals.propose(time.now()));
        Round round = quorum.ask(claim, terms.nodeTimeout());
        quorum.owe(round.settled().thenAccept(outcome -> settle(claim, round, outcome)));
    }

    private void settle(Claim claim, Round round, Outcome outcome) {
        outcome.fences().forEach(proposals::saw);
        outcome.ceiling().ifPresent(present -> proposals.wasAhead(present, time.now()));
        Validity validity = Validity.of(round.begun(), terms.ttl(), terms.drift());
        boolean inTime = validity.left(time.now()).compareTo(terms.margin()) > 0;
        if (outcome.verdict() == Verdict.GRANTED && inTime && result.complete(new Grant(claim, round, validity))) {
            return;
        }
        quorum.release(claim, round, terms.nodeTimeout());
        if (!result.isDone()) {
            goOn(outcome);
        }
    }

    private void goOn(Outcome outcome) {
        Moment now = time.now();
        boolean stale = outcome.verdict() == Verdict.STALE;
        Duration waited = now.surelySince(begun);
        Duration left = left(outcome, now);
        if (left.isNegative() || left.isZero()) {
            result.complete(new Refusal(outcome, attempts, waited));
            return;
        }
        Duration delay = stale && !staleBefore ? Duration.ZERO : shorter(delay(outcome), left);
        staleBefore = stale;
        next = time.schedule(delay, this::attempt);
        if (result.isDone()) {
            cancelNext();
        }
    }

    /** How much patience is left; a first stale answer is always worth a second attempt. */
    private Duration left(Outcome outcome, Moment now) {
        Verdict verdict = outcome.verdict();
        if (verdict != Verdict.UNREACHABLE || outcome.isQuarantine()) {
            unreachableSince = null;
        } else if (unreachableSince == null) {
            unreachableSince = now;
        }
        if (verdict == Verdict.STALE && !staleBefore) {
            return terms.ttl();
        }
        Duration left = patience.whileHeld().minus(now.surelySince(begun));
        Moment since = unreachableSince;
        return since == null ? left : shorter(left, patience.whileUnreachable().minus(now.surelySince(since)));
    }

    /** A random delay, or less if the lock will have expired by then. */
    private Duration delay(Outcome outcome) {
        Duration random = terms.retry().after(attempts, quorum.random());
        return outcome.freeIn()
                .filter(freeIn -> !freeIn.isZero())
                .map(freeIn -> shorter(random, freeIn.plusMillis(1)))
                .orElse(random);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private void cancelNext() {
        Time.Timer timer = next;
        if (timer != null) {
            timer.cancel();
        }
    }
}
