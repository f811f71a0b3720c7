package io.holdfast.acquire;

import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.acquire.AcquireResult.Refusal;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import io.holdfast.quorum.WakeUpInbox;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts until one is granted, or until the limits expire. Each attempt is one round with an owner and a fence of its
 * own. An attempt that is not granted in time is released on all nodes before the next one begins.
 *
 * <p>A refused attempt is queued on the nodes. The next attempt is made when a majority has sent a notification. Since
 * notifications may be lost, attempts are also made from time to time, and when the lock must have expired.
 *
 * <p>The first round always runs to its end; the last one begins before the limits expire. Thread-safe.
 */
public final class Acquisition implements WakeUpInbox.Subscriber {

    /** The leases that may follow one within the process without a round; more if local waiters are known. */
    private static final int FOLLOWERS = 16;

    private static final int FOLLOWERS_IF_CONTENDED = 128;

    /** The poll interval of a waiter that is queued on a majority. Long, since very many may wait. */
    private static final Duration IDLE_POLL = Duration.ofSeconds(4);

    private static final int IDLE_POLLS_PER_LEASE = 3;

    private final NodeGroup group;
    private final FenceProposer proposer;
    private final String resource;
    private final LockParameters parameters;
    private final WaitLimits limits;
    private final Time time;
    private final Moment since;
    private final boolean contended;
    private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
    private int attempts;
    private int splitVotes;
    private boolean staleBefore;
    private @Nullable Moment unreachableSince;
    private volatile @Nullable WaitTicket ticket;
    private final RetryPause pause;
    private volatile @Nullable Attempt failed;

    private Acquisition(
            NodeGroup group,
            FenceProposer proposer,
            String resource,
            LockParameters parameters,
            WaitLimits limits,
            Moment since,
            boolean contended) {
        this.group = group;
        this.proposer = proposer;
        this.resource = resource;
        this.parameters = parameters;
        this.limits = limits;
        this.time = group.time();
        this.since = since;
        this.contended = contended;
        this.pause = new RetryPause(time, group.majority(), this::attempt);
    }

    private record Attempt(Claim claim, AttemptTrace trace) {}

    /**
     * Returns an acquisition that has not begun.
     *
     * @param since the moment from which its limits and its position in the wait queue count
     * @param contended whether other waiters are known to contend for the lock, so that already the first attempt is
     *     queued
     * @param onEnd receives the result or the failure, after the acquisition has left the wait queue
     */
    static Acquisition of(
            NodeGroup group,
            FenceProposer proposer,
            String resource,
            LockParameters parameters,
            WaitLimits limits,
            Moment since,
            boolean contended,
            BiConsumer<@Nullable AcquireResult, @Nullable Throwable> onEnd) {
        Acquisition acquisition = new Acquisition(group, proposer, resource, parameters, limits, since, contended);
        acquisition.result.whenComplete((done, failure) -> {
            acquisition.leave();
            onEnd.accept(done, failure);
        });
        if (contended || parameters.fair()) {
            acquisition.drawTicket();
        }
        return acquisition;
    }

    /** Starts the first attempt. */
    void start() {
        attempt();
    }

    /** Returns the position in the wait queue, or null if there is none. */
    @Override
    public @Nullable WaitTicket ticket() {
        return ticket;
    }

    /** Starts with a pause, after a release of this client's lock that has queued the claim on the nodes. */
    void startQueued(Claim claim, AttemptTrace trace) {
        failed = new Attempt(claim, trace);
        pause(idlePoll());
    }

    /** Returns the result. Cancelling the future ends the acquisition and releases a round that is under way. */
    CompletableFuture<AcquireResult> result() {
        return result;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        attempts++;
        pause.forgetNotifications();
        Claim claim = Claim.acquire(
                        resource,
                        group.freshOwner(),
                        parameters.ttl(),
                        proposer.propose(time.now(), Claim.fencesFor(followers())))
                .withFollowers(followers())
                .withMode(parameters.mode())
                .withTicket(ticket);
        Round round = group.ask(claim, parameters.nodeTimeout());
        group.track(round.settled().thenAccept(outcome -> settle(claim, round, outcome)));
    }

    private int followers() {
        int followers = contended ? FOLLOWERS_IF_CONTENDED : FOLLOWERS;
        return parameters.fair() || parameters.isShared() ? 0 : followers;
    }

    private void settle(Claim claim, Round round, Outcome outcome) {
        Moment now = time.now();
        AttemptTrace trace = round.trace();
        Validity validity = Validity.of(round.begun(), parameters.ttl(), parameters.drift());
        boolean inTime = validity.left(now).compareTo(parameters.margin()) > 0;
        if (outcome.verdict() == Verdict.GRANTED && inTime) {
            group.inbox().remove(resource, this);
            group.leaveQueues(claim, round);
            if (result.complete(new Grant(claim.withTicket(null), trace, validity, parameters))) {
                return;
            }
        }
        learn(outcome, round.begun(), now);
        Duration left = left(outcome, now);
        if (result.isDone() || left.isNegative() || left.isZero()) {
            group.inbox().remove(resource, this);
            group.release(claim, trace, parameters.nodeTimeout());
            result.complete(new Refusal(outcome, attempts, now.surelySince(since)));
        } else {
            group.releaseAndRequeue(claim, trace, parameters.nodeTimeout());
            failed = new Attempt(claim, trace);
            scheduleNext(claim, outcome, left);
        }
    }

    /** Records what the nodes have reported, for the next attempts. */
    private void learn(Outcome outcome, Moment sent, Moment now) {
        outcome.fences().forEach(proposer::observed);
        outcome.majorityPresent().ifPresent(present -> proposer.rejectedAsAhead(present, now));
        group.inbox().learn(outcome, sent, now);
        group.reachability().learn(outcome, now);
    }

    private void scheduleNext(Claim claim, Outcome outcome, Duration left) {
        boolean stale = outcome.verdict() == Verdict.STALE;
        WaitTicket sent = claim.ticket();
        if ((sent == null || sent.isLast()) && outcome.verdict() == Verdict.REFUSED) {
            drawTicket();
        }
        boolean atOnce = (stale && !staleBefore) || !Objects.equals(ticket, sent);
        staleBefore = stale;
        pause(atOnce ? Duration.ZERO : shorter(delay(outcome, sent != null), left));
    }

    private void drawTicket() {
        if (limits.isWaiting()) {
            ticket = group.inbox().ticket(resource, since, parameters.fair(), parameters.mode());
            if (ticket != null) {
                group.inbox().add(resource, this);
            }
        }
    }

    /** Returns the time within which another attempt may begin; not positive: none. */
    private Duration left(Outcome outcome, Moment now) {
        if (!outcome.isUnreachable()) {
            unreachableSince = null;
        } else if (unreachableSince == null) {
            unreachableSince = now;
        }
        if (deservesAnother(outcome)) {
            return parameters.ttl();
        }
        Duration waited = now.surelySince(since);
        Moment unreachable = unreachableSince;
        return outcome.isQuarantine()
                ? limits.leftInQuarantine(waited)
                : limits.left(waited, unreachable == null ? null : now.surelySince(unreachable));
    }

    /** Returns {@code true} if an attempt beyond the limits follows: after a first stale fence or few split votes. */
    private boolean deservesAnother(Outcome outcome) {
        boolean split = outcome.isSplit() && splitVotes < limits.splitVotes();
        splitVotes += split ? 1 : 0;
        return split || (outcome.verdict() == Verdict.STALE && !staleBefore);
    }

    /** Returns a random delay, or less if the lock expires before. */
    private Duration delay(Outcome outcome, boolean isQueued) {
        Duration random = isQueued ? pollDelay(outcome) : parameters.retry().after(attempts, group.random());
        return outcome.freeIn()
                .filter(freeIn -> !freeIn.isZero())
                .map(freeIn -> shorter(random, freeIn.plusMillis(1)))
                .orElse(random);
    }

    /** Returns the delay of a waiter that expects a notification; longer if it is queued on a majority. */
    private Duration pollDelay(Outcome outcome) {
        Backoff delays = parameters.retry();
        if (outcome.verdict() == Verdict.STALE) {
            return delays.after(1, group.random());
        }
        boolean onMajority = outcome.tally().refused() >= group.majority();
        return onMajority ? idlePoll() : delays.pollDelay(group.random());
    }

    /**
     * Returns a delay that grows with the wait, so that the release of an older client, which notifies no waiter, is
     * noticed soon.
     */
    private Duration idlePoll() {
        Duration longest = shorter(IDLE_POLL, part(parameters.ttl(), IDLE_POLLS_PER_LEASE));
        Duration waited = time.now().surelySince(since);
        return parameters.retry().pollDelay(shorter(longest, waited), group.random());
    }

    private void pause(Duration length) {
        pause.begin(length);
        if (result.isDone()) {
            leave();
        }
    }

    @Override
    public void wake(int node, WakeUp wake) {
        proposer.observed(wake.fence());
        pause.wake(node, wake);
    }

    /** Makes the next attempt soon, since the position in the wait queue may have been lost. */
    @Override
    public void rejoin() {
        pause.shortenTo(parameters.retry().after(1, group.random()));
    }

    /** Leaves the wait queue after the end of the acquisition. */
    private void leave() {
        group.inbox().remove(resource, this);
        Attempt last = failed;
        if (pause.end() && last != null && last.claim().ticket() != null) {
            group.release(last.claim(), last.trace(), parameters.nodeTimeout());
        }
    }
}
