package io.holdfast.acquire;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.acquire.AcquireResult.Held;
import io.holdfast.acquire.AcquireResult.Refused;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts until one is granted, or until the limit expires. Each attempt is one round with an owner and a fence of its
 * own. It is withdrawn from all nodes before the next one begins.
 *
 * <p>A refused attempt is queued on the nodes, and its claim stands there until the next attempt: when the lock becomes
 * free, the nodes carry the claim out, and their notifications are votes. The next attempt is made when a majority has
 * sent another notification. Since notifications may be lost, the nodes are also asked from time to time: by an attempt
 * early in the wait and when the lock must have expired, otherwise by a query.
 *
 * <p>Only a cancellation cuts the first round short. The last round begins before the limit expires, or after a query
 * that began before it expired. Thread-safe.
 */
public final class Acquisition implements WakeUpInbox.Subscriber {

    private final LockWait wait;
    private final NodeGroup group;
    private final LockParameters parameters;
    private final boolean contended;
    private final CompletableFuture<AcquireResult<Grant>> result = new CompletableFuture<>();
    private final LimitWatch watch;
    private final AttemptDelays delays;
    private final RetryPause pause;
    private final QueuePosition position;
    private int attempts;
    private volatile boolean isQueuedByARelease;
    private volatile @Nullable Outcome lastOutcome;
    /**
     * The present or last attempt, which may have left a position in the wait queues and a standing claim; null: none.
     */
    private volatile @Nullable Attempt current;

    private Acquisition(LockWait wait, boolean contended) {
        this.wait = wait;
        this.group = wait.group();
        this.parameters = wait.parameters();
        this.contended = contended;
        this.watch = new LimitWatch(wait);
        this.delays = new AttemptDelays(wait);
        this.position = new QueuePosition(wait);
        this.pause = new RetryPause(group.time(), nodes -> Attempt.isEnough(current, nodes, group), this::attempt);
    }

    /**
     * Returns an acquisition that has not begun.
     *
     * @param contended whether other waiters contend for the lock, so that already the first attempt is queued
     * @param onEnd receives the result or the failure after the acquisition has left the wait queue
     */
    static Acquisition of(
            LockWait wait, boolean contended, BiConsumer<@Nullable AcquireResult<Grant>, @Nullable Throwable> onEnd) {
        Acquisition acquisition = new Acquisition(wait, contended);
        acquisition.result.whenComplete((done, failure) -> {
            acquisition.leave();
            onEnd.accept(done, failure);
        });
        acquisition.position.drawFirst(acquisition, contended);
        return acquisition;
    }

    @Override
    public @Nullable WaitTicket ticket() {
        return position.ticket();
    }

    /** Releases a lease of this client in a round that also queues this waiter on the nodes; begins with a pause. */
    Round startQueued(Grant lease) {
        Claim claim = lease.claim().withTicket(position.ticket());
        Round round = wait.queues()
                .end(claim.release(), lease.trace(), lease.parameters().nodeTimeout());
        current = Attempt.released(claim, round.trace().withRepairsOf(lease.trace()), group);
        isQueuedByARelease = true;
        pause.begin(delays.idle());
        leaveIfDone();
        return round;
    }

    /** Returns the result. Cancelling the future ends the acquisition and releases a round that is under way. */
    CompletableFuture<AcquireResult<Grant>> result() {
        return result;
    }

    /** Starts the first attempt, and each other one after a pause. */
    void attempt() {
        group.track(this::sendClaim);
    }

    private CompletableFuture<Void> sendClaim() {
        Attempt last = current;
        if (result.isDone()) {
            // It ended between a pause and this attempt, so that its end has not withdrawn the last one.
            withdraw(last);
            return CompletableFuture.completedFuture(null);
        }
        attempts++;
        pause.forgetNotifications();
        if (last != null && last.end()) {
            withdraw(last);
        }
        Claim claim = position.nextClaim(contended);
        Attempt attempt = new Attempt(claim, group);
        current = attempt;
        Round round = attempt.asking(group.attempt(claim, parameters.patience()));
        return Attempt.after(
                round, outcome -> onRoundSettled(attempt, round, outcome), failure -> fail(attempt, failure));
    }

    private void onRoundSettled(Attempt attempt, Round round, Outcome outcome) {
        Moment now = group.now();
        Claim claim = attempt.claim();
        attempt.asked(round);
        Validity validity = Validity.of(round.begun(), parameters.ttl(), parameters.drift());
        if (outcome.isGranted() && validity.isAbove(parameters.margin(), now)) {
            position.granted(this, attempts > 1 || isQueuedByARelease);
            wait.queues().leave(claim, round);
            current = null;
            if (result.complete(new Held<>(attempt.grant(validity, parameters, now)))) {
                return;
            }
        }
        learn(outcome, round.begun(), now);
        Duration left = watch.left(outcome, now);
        if (result.isDone() || left.isNegative() || left.isZero()) {
            position.leave(this);
            end(claim.withdraw(), attempt);
            result.complete(new Refused<>(outcome, wait.waited(now)));
            return;
        }
        if (claim.ticket() == null || !outcome.isRefusedByAll()) {
            attempt.end();
            end(claim.withdraw(), attempt);
            scheduleNext(claim, outcome, left);
            return;
        }
        // Before the next attempt is scheduled: it may begin at once, and withdraws this one.
        Attempt.Count early = attempt.stand(outcome.grantedSets());
        scheduleNext(claim, outcome, left);
        onCounted(attempt, early);
        attempt.follow(round, group.nodes().size(), node -> onNodeGranted(attempt, node));
        leaveIfDone();
    }

    private void fail(Attempt attempt, Throwable failure) {
        if (result.completeExceptionally(failure)) {
            end(attempt.claim().withdraw(), attempt);
        }
    }

    private void onNodeGranted(Attempt attempt, int node) {
        group.trackNow(() -> onCounted(attempt, attempt.granted(node)));
    }

    /** After a grant of the standing claim, the other nodes grant it as soon as they usually reply, or not at all. */
    private void onCounted(Attempt attempt, Attempt.Count count) {
        switch (count) {
            case MAJORITY -> onMajorityGranted(attempt);
            case FIRST -> pause.restart(usualReply(attempt));
            case NONE -> {}
        }
    }

    private Duration usualReply(Attempt attempt) {
        return group.usualReply(parameters.patience().ofGrants(), attempt::isGrantedBy);
    }

    private void onMajorityGranted(Attempt attempt) {
        Claim claim = attempt.claim();
        Validity validity = attempt.standingValidity(parameters.drift());
        if (!validity.isAboveThird(parameters.margin(), group.now())) {
            end(claim.withdraw(), attempt);
            pause.shortenTo(Duration.ZERO);
            return;
        }
        current = null;
        position.granted(this, true);
        wait.queues().leaveAfter(usualReply(attempt), claim, attempt::isGrantedBy);
        if (!result.complete(new Held<>(attempt.grant(validity, parameters, group.now())))) {
            end(claim.withdraw(), attempt);
        }
    }

    /** Returns the votes of the last round that was not cut short; null if there was none. */
    @Nullable
    Outcome lastOutcome() {
        return lastOutcome;
    }

    private void learn(Outcome outcome, Moment sent, Moment now) {
        wait.proposer().learn(outcome, now);
        wait.queues().inbox().learn(outcome, sent, now);
        if (!result.isDone()) {
            lastOutcome = outcome;
        }
    }

    private void scheduleNext(Claim claim, Outcome outcome, Duration left) {
        boolean again = outcome.verdict() == Verdict.REFUSED && position.refused(this, claim, outcome, attempts == 1);
        boolean atOnce = watch.isFirstStale(outcome) || again;
        pause(atOnce ? Duration.ZERO : delays.after(outcome, attempts, claim.ticket() != null), claim, outcome, left);
    }

    private void pause(Duration delay, Claim claim, Outcome outcome, Duration left) {
        boolean query = delay.compareTo(left) < 0 && delays.endsInQuery(delay, outcome, claim);
        pause.begin(shorter(delay, left), query ? this::query : this::attempt);
        leaveIfDone();
    }

    /** Asks the nodes whether another attempt may succeed, since a notification may have been lost. */
    private void query() {
        Attempt attempt = current;
        if (attempt == null || !attempt.isWaiting(group.now())) {
            attempt();
            return;
        }
        Round round = group.attempt(attempt.claim().query(), parameters.patience());
        group.track(() -> Attempt.after(
                round, outcome -> onQuerySettled(attempt, round, outcome), failure -> fail(attempt, failure)));
    }

    private void onQuerySettled(Attempt attempt, Round round, Outcome outcome) {
        Moment now = group.now();
        learn(outcome, round.begun(), now);
        Duration left = watch.left(outcome, now);
        if (!attempt.isWaiting(now) || !outcome.isRefusedByAll()) {
            attempt();
        } else if (left.isNegative() || left.isZero()) {
            result.complete(new Refused<>(outcome, wait.waited(now)));
        } else {
            pause(delays.after(outcome, attempts, true), attempt.claim(), outcome, left);
        }
    }

    @Override
    public void wake(int node, WakeUp wake) {
        Attempt attempt = current;
        if (wake.isGrant()) {
            if (attempt != null && wake.grants(attempt.claim())) {
                onNodeGranted(attempt, node);
            }
            return;
        }
        wait.proposer().observed(wake.fence());
        Moment now = group.now();
        boolean refreshes = wake.isNextInQueue() && (attempt == null || !attempt.standsAbove(wake.fence(), now));
        pause.wake(node, refreshes ? wake.atOnce() : wake);
    }

    @Override
    public void rejoin() {
        pause.shortenTo(delays.soon());
    }

    private void leaveIfDone() {
        if (result.isDone()) {
            leave();
        }
    }

    /** Leaves the wait queue after the end of the acquisition. */
    private void leave() {
        position.leave(this);
        Attempt last = current;
        boolean stood = last != null && last.end();
        if (pause.end() || stood) {
            withdraw(last);
        }
    }

    /** Removes the position of the last attempt, if it has left one, and its claim. */
    private void withdraw(@Nullable Attempt last) {
        if (last != null && last.claim().ticket() != null) {
            end(last.isReleased() ? last.claim().release() : last.claim().withdraw(), last);
        }
    }

    private void end(Claim release, Attempt attempt) {
        wait.queues().end(release, attempt.trace(), parameters.nodeTimeout());
    }
}
