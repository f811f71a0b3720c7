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
 * Attempts until one is granted, or until the caller's wait is over. Each attempt is one round with an owner and a fencing
 * token of its own, and one that is not granted in time is taken back everywhere before the next begins.
 *
 * <p>Whoever is refused stands in line on the nodes, and is called when it may have the lock: a majority has to call before it asks
 * again. Since a call may be lost, it also asks without one, from time to time and when the lock must have expired.
 *
 * <p>The first round is always seen to its end; the last one begins when the wait ends at the latest.
 */
public final class Acquisition implements WakeUpInbox.Subscriber {

    /** How many leases may follow one within the process, without asking the nodes; more where several of it want the lock. */
    private static final int FOLLOWERS = 16;

    private static final int FOLLOWERS_IF_CONTENDED = 128;

    /** How often a waiter asks that is queued on a majority, in case a notification was lost: rarely, since very many may wait. */
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
     * An acquisition that has not begun.
     *
     * @param since the moment from which its limits and its position in the wait queue count
     * @param contended whether others are known to want the lock, so that the first attempt stands in line already
     * @param onEnd told how it ends, when it has left the line
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

    /** Begins the first attempt. */
    void start() {
        attempt();
    }

    /** Its position in the wait queue, or null. */
    @Override
    public @Nullable WaitTicket ticket() {
        return ticket;
    }

    /** Begins to wait: the lock of this process was given up in a round that has put it in line. */
    void startQueued(Claim claim, AttemptTrace trace) {
        failed = new Attempt(claim, trace);
        pause(idlePoll());
    }

    /**
     * How it ends. Cancelling the future ends the acquisition: a round that is under way is taken back, so nothing is left
     * behind.
     */
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
            goOn(claim, outcome, left);
        }
    }

    /** What the nodes know is of use to the next attempt. */
    private void learn(Outcome outcome, Moment sent, Moment now) {
        outcome.fences().forEach(proposer::observed);
        outcome.majorityPresent().ifPresent(present -> proposer.rejectedAsAhead(present, now));
        group.inbox().learn(outcome, sent, now);
        group.reachability().learn(outcome, now);
    }

    private void goOn(Claim claim, Outcome outcome, Duration left) {
        boolean stale = outcome.verdict() == Verdict.STALE;
        WaitTicket shown = claim.ticket();
        if ((shown == null || shown.isLast()) && outcome.verdict() == Verdict.REFUSED) {
            drawTicket();
        }
        boolean atOnce = (stale && !staleBefore) || !Objects.equals(ticket, shown);
        staleBefore = stale;
        pause(atOnce ? Duration.ZERO : shorter(delay(outcome, shown != null), left));
    }

    private void drawTicket() {
        if (limits.isWaiting()) {
            ticket = group.inbox().ticket(resource, since, parameters.fair(), parameters.mode());
            if (ticket != null) {
                group.inbox().add(resource, this);
            }
        }
    }

    /** The time in which another attempt may begin. */
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

    /** Whether another attempt is made, whatever the limits: after a first stale answer, and after a bounded number of split votes. */
    private boolean deservesAnother(Outcome outcome) {
        boolean split = outcome.isSplit() && splitVotes < limits.splitVotes();
        splitVotes += split ? 1 : 0;
        return split || (outcome.verdict() == Verdict.STALE && !staleBefore);
    }

    /** A random delay, or less if the lock will have expired by then. */
    private Duration delay(Outcome outcome, boolean isQueued) {
        Duration random = isQueued ? pollDelay(outcome) : parameters.retry().after(attempts, group.random());
        return outcome.freeIn()
                .filter(freeIn -> !freeIn.isZero())
                .map(freeIn -> shorter(random, freeIn.plusMillis(1)))
                .orElse(random);
    }

    /** The delay of a waiter that the nodes will notify; a longer one if it is queued on a majority. */
    private Duration pollDelay(Outcome outcome) {
        Backoff delays = parameters.retry();
        if (outcome.verdict() == Verdict.STALE) {
            return delays.after(1, group.random());
        }
        boolean onMajority = outcome.tally().refused() >= group.majority();
        return onMajority ? idlePoll() : delays.untilAskedAnyway(group.random());
    }

    /** It grows with the time waited: a lock that was held briefly by a client that notifies nobody is noticed soon. */
    private Duration idlePoll() {
        Duration longest = shorter(IDLE_POLL, part(parameters.ttl(), IDLE_POLLS_PER_LEASE));
        Duration waited = time.now().surelySince(since);
        return parameters.retry().untilAskedAnyway(shorter(longest, waited), group.random());
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

    /** Asks soon, since its position in the wait queue may have been lost. */
    @Override
    public void rejoin() {
        pause.shortenTo(parameters.retry().after(1, group.random()));
    }

    /** The acquisition has ended: it leaves the wait queue. */
    private void leave() {
        group.inbox().remove(resource, this);
        Attempt last = failed;
        if (pause.end() && last != null && last.claim().ticket() != null) {
            group.release(last.claim(), last.trace(), parameters.nodeTimeout());
        }
    }
}
